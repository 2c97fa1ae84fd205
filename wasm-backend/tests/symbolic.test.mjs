// Modules with sizes of the caller's choice: one module, any size, and shapes that contradict each
// other or the machine are refused by name. The numbers of single operators are held by
// conformance.test.mjs; those of models whose sizes are computed stand in recorded/ (make.py).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../web/runtime/index.mjs';
import { readSafetensors } from '../../web/runtime/safetensors.mjs';
import {
  ROOT, VARIANTS, compile, differenceFrom, invalidity, loadBinaryen, recordingsOf,
} from './cases.mjs';

const folder = (name) => join(ROOT, 'conformance/cases/symbolic', name);

async function model(name, ...options) {
  const { bytes, error } = await compile(join(folder(name), 'graph.fx.json'), options);
  assert.equal(error, undefined);
  return load(bytes);
}

const recorded = (name, file) => readSafetensors(readFileSync(join(folder(name), file)));

const RECORDED = join(ROOT, 'wasm-backend/tests/recorded');
const binaryen = await loadBinaryen();

for (const entry of readdirSync(RECORDED, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue;
  const at = (file) => join(RECORDED, entry.name, file);
  const item = { tensors: at('io.safetensors'), otherSizes: at('io2.safetensors') };
  test(`${entry.name} has PyTorch's numbers at two sizes`, async () => {
    for (const [simd, schedule] of VARIANTS) {
      const options = ['--simd', simd, '--schedule', schedule];
      const { bytes, error } = await compile(at('graph.fx.json'), options);
      assert.equal(error, undefined);
      if (binaryen) assert.equal(invalidity(binaryen, bytes), null);
      for (const tensors of recordingsOf(item)) {
        const found = await differenceFrom({ tensors, rtol: 1e-5, atol: 1e-5 }, bytes);
        assert.equal(found, null, `${simd} ${schedule} ${tensors}`);
      }
    }
  });
}

test('sizes may change from run to run, up and down', async () => {
  const linear = await model('linear');
  assert.deepEqual(linear.symbols, [{ name: 'n', input: 0, axis: 0 }]);
  for (const file of ['io.safetensors', 'io2.safetensors', 'io.safetensors']) {
    const tensors = recorded('linear', file);
    const input = tensors.get('input.0');
    linear.plan([input.shape]);
    const [output] = linear.run([input.data]);
    assert.deepEqual(linear.outputs[0].shape, tensors.get('output.0').shape);
    const wanted = tensors.get('output.0').data;
    output.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-5));
  }
});

// Rows are computed four at a time, then the rest (lower/statement.cpp).
test('any number of rows gives the rows of a larger run', async () => {
  for (const name of ['linear', 'conv2d', 'softmax']) {
    const rows = await model(name);
    const { shape } = recorded(name, 'io.safetensors').get('input.0');
    const ofShape = (n) => [n, ...shape.slice(1)];
    const width = shape.slice(1).reduce((product, extent) => product * extent, 1);
    const data = Float32Array.from({ length: 9 * width }, (_, i) => Math.sin(i));
    const run = (n) => {
      rows.plan([ofShape(n)]);
      return rows.run([data.subarray(0, n * width)])[0].slice();
    };
    const all = run(9);
    for (let n = 0; n < 9; ++n) {
      const some = run(n);
      assert.equal(some.length, all.length / 9 * n);
      some.forEach((value, i) => assert.ok(Math.abs(value - all[i]) < 1e-6, `${name} ${n} ${i}`));
    }
  }
});

test('memory grows with the size, and what is kept stays readable', async () => {
  const relu = await model('relu', '--keep-intermediates');
  const n = 100_000;
  const before = relu.wasmMemory.buffer.byteLength;
  relu.plan([[n, 6]]);
  assert.ok(relu.wasmMemory.buffer.byteLength > before);
  const input = Float32Array.from({ length: 6 * n }, (_, i) => (i % 2 ? i : -1 - i));
  const [output] = relu.run([input]);
  assert.equal(output.length, 6 * n);
  output.forEach((value, i) => assert.equal(value, i % 2 ? i : 0));
  const [kept] = relu.intermediates;
  assert.deepEqual(relu.intermediateView(kept.name), output);
});

test('shapes broadcast when the sizes are known, or are refused', async () => {
  const add = await model('add_unknown');
  const ones = (count) => new Float32Array(count).fill(1);
  for (const [n, m, rows] of [[3, 3, 3], [4, 1, 4], [1, 5, 5], [0, 1, 0], [1, 0, 0]]) {
    add.plan([[n, 6], [m, 6]]);
    const [sum] = add.run([ones(6 * n), ones(6 * m)]);
    assert.deepEqual(add.outputs[0].shape, [rows, 6]);
    assert.deepEqual(sum, ones(6 * rows).fill(2));
  }
  assert.throws(() => add.plan([[3, 6], [2, 6]]), /n = 3, m = 2.*do not fit/);
});

test('a size of zero is a size', async () => {
  const relu = await model('relu');
  relu.plan([[0, 6]]);
  assert.equal(relu.run([new Float32Array(0)])[0].length, 0);
});

test('what does not fit is refused by name', async () => {
  const matmul = await model('matmul_nm');
  const six = new Float32Array(6);
  assert.throws(() => matmul.run([six, six]), /sizes .*n, k, m.*plan/);
  assert.throws(() => matmul.plan([[2, 3]]), /2 inputs, and 1/);
  assert.throws(() => matmul.plan([[2, 3], [4, 5]]), /input.1 .*\[k, m\].*k = 3.*\[4, 5\]/);
  assert.throws(() => matmul.plan([[2, 3, 1], [3, 5]]), /input.0 .*\[n, k\]/);
  assert.throws(() => matmul.plan([[2, -3], [-3, 5]]), /input.0/);
  assert.throws(() => matmul.plan([[2, 2 ** 30], [2 ** 30, 5]]), /^.*n = 2, .*no memory/);
  const linear = await model('linear');
  assert.throws(() => linear.plan([[3, 7]]), /input.0 .*\[n, 6\], and \[3, 7\]/);
  linear.plan([[3, 6]]);
  assert.throws(() => linear.run([new Float32Array(6)]), /must have 18 elements/);
});
