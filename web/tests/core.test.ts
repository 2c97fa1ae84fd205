// The contract with the compiler: what engine/core-types.ts says is what the built core does.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { load } from '../runtime/index.mjs';
import type {
  CompileAnswer, CompileOptions, CoreModule, OpenGraphAnswer, Session, TeAnswer, TextAnswer,
  TranslateAnswer, TranslateOptions,
} from '../src/engine/core-types';
import { flatten, nodeMapAt } from '../src/engine/calls';
import { prefixOf, stationsOf } from '../src/state/cursor';
import { gunzip } from '../src/state/codec';
import { readIdx } from '../src/state/idx';

const generated = resolve(import.meta.dirname, '../src/generated');
const root = resolve(import.meta.dirname, '../..');
const textOf = (path: string): string => readFileSync(resolve(root, path), 'utf8');
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(resolve(root, path)));
const built = existsSync(resolve(generated, 'fx2wasm_core.mjs'));

const options: TranslateOptions = { rules: 'lecture', ops: 'emit_te', params: 'inline' };

describe.runIf(built)('the core', () => {
  let core: CoreModule;
  let session: Session;

  beforeAll(async () => {
    const wasm = readFileSync(resolve(generated, 'fx2wasm_core.wasm'));
    const url = pathToFileURL(resolve(generated, 'fx2wasm_core.mjs')).href;
    const { default: create } = (await import(/* @vite-ignore */ url)) as {
      default: (options: object) => Promise<CoreModule>;
    };
    core = await create({
      instantiateWasm(
        imports: WebAssembly.Imports,
        use: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
      ) {
        void WebAssembly.instantiate(wasm, imports).then((made) => use(made.instance, made.module));
        return {};
      },
    });
    session = new core.Session();
  });

  const open = (path: string): OpenGraphAnswer =>
    JSON.parse(session.openGraph(textOf(path), 'graph.fx.json')) as OpenGraphAnswer;
  const translate = (how: TranslateOptions = options): TranslateAnswer =>
    JSON.parse(session.translate(JSON.stringify(how))) as TranslateAnswer;

  it('places every node in the text', () => {
    const { ok, graph } = open('examples/mlp/mlp.fx.json');
    expect(ok).toBe(true);
    const lines = textOf('examples/mlp/mlp.fx.json').split('\n');
    for (const { line, column, endLine, endColumn, name } of graph?.nodes ?? []) {
      expect(line).toBe(endLine);
      expect(lines[line - 1]?.slice(column - 1, endColumn)).toContain(`"name": "${name}"`);
    }
  });

  it('gives TVM’s text at the end of the steps, and a prefix of it before', () => {
    open('conformance/cases/lecture/fx_mlp/graph.fx.json');
    const { ok, steps } = translate();
    expect(ok).toBe(true);
    const stations = stationsOf(steps);
    expect(stations.map(({ node }) => node)).toEqual(['x', 'linear0', 'relu', 'linear1', 'output']);
    const end = stations.at(-1)?.end ?? 0;
    const textAt = (at: number): TextAnswer => {
      const prefix = prefixOf(steps, at);
      return JSON.parse(session.stateText(prefix.steps, prefix.events)) as TextAnswer;
    };
    const expected = textOf('conformance/cases/lecture/fx_mlp_te/expected.module.py');
    expect(`${textAt(end).text}\n`).toBe(expected);
    const after = textAt(stations[1]?.end ?? 0);
    expect(after.text).toContain('def dense(');
    expect(after.text).not.toContain('def relu(');
    const map = nodeMapAt(flatten(steps), stations[1]?.end ?? 0);
    expect([...map.keys()]).toEqual(['x', 'linear0']);
    for (const span of after.spans.filter(({ kind }) => kind === 'function_name')) {
      expect(after.text.slice(span.begin, span.end)).toBe(span.name);
    }
  });

  it('reports all unsupported operators at their nodes', () => {
    const text = textOf('examples/mlp/mlp.fx.json').replaceAll('torch.nn.', 'mylayers.');
    session.openGraph(text, 'graph.fx.json');
    const { ok, diagnostics } = translate();
    expect(ok).toBe(false);
    expect(diagnostics.map(({ node }) => node)).toEqual(['linear0', 'relu', 'linear1']);
    for (const { line, column, code, file } of diagnostics) {
      expect(line).toBeGreaterThan(0);
      expect(column).toBeGreaterThan(0);
      expect(code).toMatch(/^FX\d{4}$/);
      expect(file).toBe('graph.fx.json');
    }
  });

  it('runs programs and names the place of their mistakes', () => {
    const program = textOf('conformance/lecture_programs/te_matmul.py');
    const good = JSON.parse(session.runProgram(program, 'program.py')) as TeAnswer;
    expect(good.kind).toBe('prim_func');
    expect(`${good.text}\n`).toBe(textOf('conformance/cases/lecture/te_matmul/expected.module.py'));
    const bad = JSON.parse(
      session.runProgram(program.replace('te.sum', 'te.summ'), 'program.py')) as TeAnswer;
    expect(bad.ok).toBe(false);
    expect(bad.diagnostics[0]?.line).toBe(6);
  });

  it('compiles a module whose scores are PyTorch’s', async () => {
    open('examples/mlp/mlp.fx.json');
    session.addWeights(bytesOf('examples/mlp/mlp.safetensors'), 'mlp.safetensors');
    expect(translate().ok).toBe(true);
    const how: CompileOptions = {
      simd: 'relaxed', schedule: 'on', keepIntermediates: true, libraryNodes: [],
    };
    const answer = JSON.parse(session.compile(JSON.stringify(how))) as CompileAnswer;
    expect(answer.diagnostics).toEqual([]);
    const model = await load(session.wasmBytes().slice());
    const images = readIdx(
      await gunzip(bytesOf('examples/fashion-mnist/t10k-images-idx3-ubyte.gz')));
    const expected = JSON.parse(textOf('examples/mlp/expected.json')) as {
      input: { scale: number };
      first_scores: number[][];
    };
    const input = Float32Array.from(images.data.subarray(0, 784), (p) => p * expected.input.scale);
    const scores = Array.from(model.run([input])[0] ?? [], Number);
    scores.forEach((score, i) => {
      const right = expected.first_scores[0]?.[i] ?? NaN;
      expect(Math.abs(score - right)).toBeLessThanOrEqual(1e-5 + 1e-5 * Math.abs(right));
    });
    for (const { name } of answer.functions) {
      const listing = JSON.parse(session.disassembly(name)) as TextAnswer;
      expect(listing.text).toContain('local.get');
    }
  });
});
