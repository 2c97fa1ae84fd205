// Runs a graph in every way there is and says where two of them differ.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COMPILER, VARIANTS, compile, difference } from '../../wasm-backend/tests/cases.mjs';
import { load } from '../../web/runtime/index.mjs';
import { readSafetensors, writeSafetensors } from '../../web/runtime/safetensors.mjs';

/** @typedef {import('./graph.mjs').Graph} Graph */
/** @typedef {import('../../web/runtime/safetensors.mjs').StoredTensor} Tensor */
/** @typedef {(graph: Graph) => Promise<Tensor[]>} Ask */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'fx2wasm-random-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** The nodes of the output in order. @param {any} argument @returns {string[]} */
export function outputNames(argument) {
  if (Array.isArray(argument)) return argument.flatMap(outputNames);
  if (argument.dict) return Object.values(argument.dict).flatMap(outputNames);
  return [argument.node];
}

/** @param {string} graph @param {string} inputs @param {string[]} options
 * @returns {Promise<Tensor[]>} */
async function interpret(graph, inputs, options) {
  const outputs = join(folder, `${files++}.safetensors`);
  const files_ = ['--inputs', inputs, '--outputs', outputs];
  try {
    await run(COMPILER, ['run', graph, ...options, ...files_], { timeout: 60_000 });
    const tensors = readSafetensors(readFileSync(outputs));
    return [...tensors.keys()]
      .filter((key) => key.startsWith('output'))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map((key) => /** @type {Tensor} */ (tensors.get(key)));
  } catch (error) {
    throw new Error(firstLine(error), { cause: error });
  } finally {
    rmSync(outputs, { force: true });
  }
}

/** @param {any} error */
const firstLine = (error) =>
  `${error.stderr || error.message}`.split('\n').slice(0, 2).join(' ') + (error.signal ?? '');

/** @param {string} graph @param {Tensor[]} inputs @param {string[]} variant
 * @returns {Promise<Tensor[]>} */
async function runWasm(graph, inputs, [simd, schedule]) {
  const { bytes, file, error } = await compile(graph, ['--simd', simd, '--schedule', schedule]);
  if (error) throw new Error(error.split('\n').slice(0, 2).join(' '));
  if (file) rmSync(file);
  const model = await load(/** @type {Uint8Array} */ (bytes));
  const results = model.run(model.inputs.map((_, i) => inputs[i].data));
  return model.outputs.map(({ dtype, shape }, i) => ({ dtype, shape, data: results[i] }));
}

/** Why two ways to compute the graph differ; null when none does. @param {Graph} graph
 * @param {Ask} [ask] PyTorch, when it is to be asked, too
 * @returns {Promise<string | null>} */
export async function disagreement(graph, ask) {
  const path = join(folder, `${files++}.fx.json`);
  const inputs = join(folder, `${files++}.safetensors`);
  writeFileSync(path, JSON.stringify(graph.toJson()));
  const given = [...graph.inputs.values()];
  writeFileSync(inputs, writeSafetensors(new Map(given.map((t, i) => [`input.${i}`, t]))));
  try {
    return await disagreementOf(graph, path, inputs, given, ask);
  } finally {
    rmSync(path);
    rmSync(inputs);
  }
}

/** @param {Graph} graph @param {string} path @param {string} inputs @param {Tensor[]} given
 * @param {Ask} [ask] */
async function disagreementOf(graph, path, inputs, given, ask) {
  const outputs = outputNames(graph.result).map((name) => graph.values.get(name));
  let expected;
  try {
    expected = await interpret(path, inputs, []);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    // A stale view whose elements would depend on strides is refused on purpose.
    graph.refused = message.includes('such a view is not supported');
    return graph.refused ? null : `interpreter: ${message}`;
  }
  /** @type {[string, () => Promise<Tensor[]>][]} */
  const ways = [['emit_te', () => interpret(path, inputs, ['--ops', 'emit_te'])]];
  if (ask) ways.push(['PyTorch', () => ask(graph)]);
  for (const variant of VARIANTS) {
    const name = `--simd ${variant[0]} --schedule ${variant[1]}`;
    ways.push([name, () => runWasm(path, given, variant)]);
  }
  if (expected.length !== outputs.length) return `interpreter: ${expected.length} outputs`;
  for (const [i, value] of outputs.entries()) {
    const { dtype, shape } = expected[i];
    if (!value || (dtype === value.dtype && `${shape}` === `${value.shape}`)) continue;
    return `interpreter: ${value.name} is ${dtype} [${shape}], not ${value.dtype} [${value.shape}]`;
  }
  for (const [name, compute] of ways) {
    let found;
    try {
      found = await compute();
    } catch (error) {
      return `${name}: ${/** @type {Error} */ (error).message}`;
    }
    for (const [i, tensor] of expected.entries()) {
      const tolerance = { rtol: 1e-6, atol: 2 * (outputs[i]?.error ?? 0) + 1e-30 };
      const differs = difference(found[i], tensor, tolerance);
      if (differs) return `${name}: output ${i} ${differs} (atol ${tolerance.atol})`;
    }
  }
  return null;
}
