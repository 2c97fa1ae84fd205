// What each conformance case is held to. A check gives null (right), a reason (wrong), or undefined
// when the case has nothing for it.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readSafetensors } from '../../web/runtime/safetensors.mjs';
import {
  compile, differenceFrom, invalidity, loadBinaryen,
} from '../../wasm-backend/tests/cases.mjs';
import { root } from './cases.mjs';
import { outputsDifference, textDifference } from './compare.mjs';
import { fx2wasm, fx2wasmText } from './tool.mjs';

const scratch = mkdtempSync(path.join(os.tmpdir(), 'fx2wasm-'));
const programs = { te: 'te_programs', lecture: 'lecture_programs' };

const file = (testCase, name) => path.join(testCase.dir, name);
const graphOf = (testCase) => file(testCase, 'graph.fx.json');

/** The program behind a `te` or `lecture` case, or null. */
function programOf(testCase) {
  const folder = programs[testCase.group];
  if (!folder || testCase.has('graph.fx.json') || /^fx_/.test(testCase.name)) return null;
  return path.join(root, 'conformance', folder, `${testCase.name}.py`);
}

/** The `lecture` cases that are translations: which graph, rules and parameters each means. */
function lectureTranslation(testCase) {
  const found = /^(fx_(?:mlp|product))_(te|ops)(_inputs|_legalized)?$/.exec(testCase.name);
  if (testCase.group !== 'lecture' || !found) return null;
  const [, graph, ops, rest] = found;
  const asInputs = rest !== undefined || testCase.name === 'fx_product_ops';
  return [
    'translate', path.join(testCase.dir, '..', graph, 'graph.fx.json'), '--rules', 'lecture',
    '--ops', ops === 'te' ? 'emit_te' : 'relax', '--params', asInputs ? 'inputs' : 'inline',
    ...(rest === '_legalized' ? ['--legalize'] : []),
  ];
}

function text(testCase, expected, ...args) {
  if (!testCase.has(expected)) return undefined;
  return textDifference(fx2wasmText(...args), testCase.read(expected));
}

// Seven texts number their elem_offset symbols by TVM's hash order: compare up to that numbering.
const unstable = new Set([
  'function/scatter', 'function/bucketize', 'function/bucketize_right', 'function/index_put_',
  'method/scatter_kw', 'method/index_put_2d', 'method/index_put_accumulate',
]);
function renumbered(source) {
  const names = new Map();
  return source.replace(/\b(\w+?)_(\d+)\b/g, (whole, stem) => {
    if (!/elem_offset|^s$/.test(stem)) return whole;
    if (!names.has(whole)) names.set(whole, `${stem}#${names.size}`);
    return names.get(whole);
  });
}

function fromFx(testCase) {
  const lecture = lectureTranslation(testCase);
  if (lecture) return text(testCase, 'expected.module.py', ...lecture);
  if (!testCase.text || !testCase.has('graph.fx.json')) return undefined;
  return text(testCase, 'expected.from_fx.py', 'translate', graphOf(testCase), ...testCase.options);
}

function inline(testCase) {
  if (!testCase.text || !testCase.has('graph.fx.json')) return undefined;
  return text(testCase, 'expected.inline.py', 'translate', graphOf(testCase), '--params', 'inline',
    ...testCase.options);
}

function legalized(testCase) {
  if (!testCase.legalizedText || !testCase.has('expected.legalized.py')) return undefined;
  const got = fx2wasmText('translate', graphOf(testCase), '--legalize', ...testCase.options);
  const wanted = testCase.read('expected.legalized.py');
  if (unstable.has(testCase.id)) return textDifference(renumbered(got), renumbered(wanted));
  return textDifference(got, wanted);
}

function program(testCase) {
  const source = programOf(testCase);
  if (!source) return undefined;
  if (testCase.has('expected.primfunc.py')) {
    return text(testCase, 'expected.primfunc.py', 'te', source);
  }
  if (testCase.has('expected.module.py')) return text(testCase, 'expected.module.py', 'te', source);
  const refused = fx2wasm('te', source);
  return refused.status === 1 && /^\S+:\d+:\d+: error\[/.test(refused.err)
    ? null
    : 'TVM refuses it; we must, with a clear error';
}

function input(testCase) {
  const weights = file(testCase, 'weights.safetensors');
  const more = testCase.has('weights.safetensors') ? ['--weights', weights] : [];
  const source = programOf(testCase) ?? graphOf(testCase);
  return [source, ...more, ...testCase.options];
}

const readTensors = (name) => readSafetensors(readFileSync(name));

// Inputs with PyTorch's outputs; io2 has other sizes for a symbolic case.
const recordings = (testCase) => ['io.safetensors', 'io2.safetensors']
  .filter((name) => testCase.has(name)).map((name) => file(testCase, name));

function interpreter(...more) {
  return (testCase) => {
    const all = recordings(testCase);
    if (!all.length) return undefined;
    const outputs = path.join(scratch, 'outputs.safetensors');
    for (const recorded of all) {
      fx2wasmText('run', ...input(testCase), ...more, '--inputs', recorded, '--outputs', outputs);
      const differs =
        outputsDifference(readTensors(outputs), readTensors(recorded), testCase.tolerance);
      if (differs) return differs;
    }
    return null;
  };
}

const binaryen = await loadBinaryen();

function compiled(simd, ...more) {
  return async (testCase) => {
    const all = recordings(testCase);
    if (!all.length) return undefined;
    const [source, ...options] = input(testCase);
    const { bytes, error } = await compile(source, [...options, '--simd', simd, ...more]);
    if (error) return error.split('\n')[0];
    const invalid = binaryen && invalidity(binaryen, bytes);
    if (invalid) return `Binaryen: ${invalid}`;
    const { rtol, atol } = testCase.tolerance;
    for (const tensors of all) {
      const differs = await differenceFrom({ name: testCase.id, tensors, rtol, atol }, bytes);
      if (differs) return differs;
    }
    return null;
  };
}

function refusal(testCase) {
  if (testCase.group !== 'invalid') return undefined;
  const expected = JSON.parse(testCase.read('expected.json'));
  const outputs = path.join(scratch, 'outputs.safetensors');
  const none = path.join(scratch, 'none.safetensors');
  writeFileSync(none, Buffer.from([8, 0, 0, 0, 0, 0, 0, 0, ...Buffer.from('{}      ')]));
  const args = expected.stage === 'run'
    ? ['run', graphOf(testCase), '--inputs', none, '--outputs', outputs]
    : ['translate', graphOf(testCase)];
  const { status, out, err } = fx2wasm(...args);
  if (status !== 1) return `exit status ${status}`;
  if (out) return 'something was printed to standard output';
  if (!/^\S*:\d+:\d+: error\[FX\d+\]: /.test(err)) return `no place: ${err.split('\n')[0]}`;
  const missing = expected.mention.filter((word) => !err.includes(word));
  return missing.length ? `does not mention ${missing.join(', ')}: ${err.split('\n')[0]}` : null;
}

/** name → check, in the order of the table. */
export const checks = new Map([
  ['from_fx text', fromFx],
  ['inline text', inline],
  ['legalised text', legalized],
  ['program text', program],
  ['interpreter', interpreter()],
  ['emit_te, interpreter', interpreter('--ops', 'emit_te')],
  ['Wasm off', compiled('off')],
  ['Wasm simd128', compiled('simd128')],
  ['Wasm relaxed', compiled('relaxed')],
  ['Wasm unscheduled', compiled('simd128', '--schedule', 'off')],
  ['refusal', refusal],
]);
