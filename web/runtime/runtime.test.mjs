// The loader by itself: what it refuses, views, side weights, kept intermediates, the library.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Fx2wasmError, detectSimd, load, readInfo } from './index.mjs';
import { readSafetensors, writeSafetensors } from './safetensors.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPILER = process.env.FX2WASM ?? join(ROOT, 'build/release/fx2wasm');
const LIBRARY = process.env.FX2WASM_LIBRARY ?? join(ROOT, 'build/release/library.wasm');
const CLI = join(ROOT, 'web/runtime/cli.mjs');
const CASE = join(ROOT, 'conformance/cases/composed/mlp');
const IO = join(CASE, 'io.safetensors');
const folder = mkdtempSync(join(tmpdir(), 'fx2wasm-runtime-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function compile(...options) {
  const output = join(folder, `${files++}.wasm`);
  execFileSync(COMPILER, ['compile', join(CASE, 'graph.fx.json'), ...options, '-o', output]);
  return output;
}
const tensors = readSafetensors(readFileSync(IO));
const input = tensors.get('input.0').data;
const expected = tensors.get('output.0').data;

function assertClose(actual, tolerance = 1e-5) {
  assert.equal(actual.length, expected.length);
  expected.forEach((value, i) => {
    assert.ok(Math.abs(actual[i] - value) <= tolerance + tolerance * Math.abs(value),
      `element ${i} is ${actual[i]}, not ${value}`);
  });
}

test('a module tells its interface and runs', async () => {
  const model = await load(readFileSync(compile()));
  assert.deepEqual(model.inputs.map(({ key, dtype, shape }) => ({ key, dtype, shape })),
    [{ key: 'input.0', dtype: 'float32', shape: [1, 784] }]);
  assert.deepEqual(model.outputs[0].shape, [1, 10]);
  assertClose(model.run([input])[0]);
  // Without copies.
  model.inputView(0).set(input);
  model.runInPlace();
  assertClose(model.outputView(0));
});

test('results are copies', async () => {
  const model = await load(readFileSync(compile()));
  const [first] = model.run([input]);
  model.run([new Float32Array(784)]);
  assertClose(first);
});

test('wrong inputs are refused by name', async () => {
  const model = await load(readFileSync(compile()));
  assert.throws(() => model.run([]), Fx2wasmError);
  assert.throws(() => model.run([new Float32Array(3)]), /input\.0 .*784 elements/);
  assert.throws(() => model.run([new Int32Array(784)]), /Float32Array/);
});

test('other modules and other ABI versions are refused', async () => {
  await assert.rejects(
    load(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])), /not a module of fx2wasm/);
  const bytes = readFileSync(compile());
  const at = bytes.indexOf('"abi":1');
  bytes[at + 6] = '9'.charCodeAt(0);
  await assert.rejects(load(bytes), /ABI version 9/);
});

test('weights from a side file', async () => {
  const weights = join(folder, 'side.safetensors');
  const bytes = readFileSync(compile('--weights-out', weights));
  assert.ok(bytes.length < 100_000);
  await assert.rejects(load(bytes), /linear0\.weight/);
  const model = await load(bytes, { weights: readFileSync(weights) });
  assertClose(model.run([input])[0]);
  // Nothing is recorded: with other weights come other results.
  const changed = readSafetensors(readFileSync(weights));
  changed.get('linear1.weight').data.fill(0);
  const zeroed = await load(bytes, { weights: writeSafetensors(changed) });
  assert.throws(() => assertClose(zeroed.run([input])[0]));
  changed.delete('linear1.weight');
  await assert.rejects(
    load(bytes, { weights: writeSafetensors(changed) }), /lacks: linear1\.weight/);
});

test('intermediates are kept on demand', async () => {
  const plain = await load(readFileSync(compile()));
  assert.deepEqual(plain.intermediates, []);
  assert.throws(() => plain.intermediateView('lv'), /--keep-intermediates/);
  const kept = await load(readFileSync(compile('--keep-intermediates')));
  assertClose(kept.run([input])[0]);
  const relu = kept.intermediates.find(({ fxNodes }) => fxNodes.includes(3));
  const values = kept.intermediateView(relu.name);
  assert.equal(values.length, 128);
  assert.ok(values.every((value) => value >= 0) && values.some((value) => value > 0));
});

test('a library kernel gives the same', async () => {
  const bytes = readFileSync(compile('--library', 'linear0'));
  assert.equal(readInfo(new WebAssembly.Module(bytes)).needsLibrary, true);
  await assert.rejects(load(bytes), /library\.wasm/);
  const model = await load(bytes, { library: readFileSync(LIBRARY) });
  assert.ok(model.functions.some(({ library }) => library === 'fx2wasm.dense'));
  assert.ok(model.functions.some(({ name, library }) => name.startsWith('matmul') && !library));
  assertClose(model.run([input])[0]);
});

test('detectSimd answers with a variant that compiles', async () => {
  const model = await load(readFileSync(compile('--simd', detectSimd())));
  assert.equal(model.simd, detectSimd());
});

test('safetensors survive a round trip', () => {
  const written = new Map([
    ['a', { dtype: 'float32', shape: [2], data: new Float32Array([1.5, NaN]) }],
    ['b', { dtype: 'int64', shape: [], data: new BigInt64Array([-7n]) }],
    ['c', { dtype: 'bool', shape: [0], data: new Uint8Array(0) }],
  ]);
  assert.deepEqual(readSafetensors(writeSafetensors(written)), written);
  assert.throws(() => readSafetensors(new Uint8Array(4)), /shorter/);
  assert.throws(() => readSafetensors(writeSafetensors(written).subarray(0, 60)), /./);
});

test('the command line runs a module, and says what is wrong with the input', () => {
  const file = compile();
  const output = join(folder, 'out.safetensors');
  const run = (inputs) =>
    spawnSync(process.execPath, [CLI, file, '--inputs', inputs, '--outputs', output],
      { encoding: 'utf8' });
  assert.equal(run(IO).status, 0);
  assertClose(readSafetensors(readFileSync(output)).get('output.0').data);
  const wrong = join(folder, 'wrong.safetensors');
  const data = new Float32Array(2);
  writeFileSync(
    wrong, writeSafetensors(new Map([['input.0', { dtype: 'float32', shape: [2], data }]])));
  const answer = run(wrong);
  assert.equal(answer.status, 1);
  assert.match(answer.stderr, /input\.0 .*\[1,784\]/);
  assert.equal(run(join(folder, 'none')).status, 1);
});
