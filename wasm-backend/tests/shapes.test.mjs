// Loops of every small size: what is left when lanes and tiles do not divide an extent, sums of
// many terms, NaN, and reductions along every axis, against plain loops in double.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from '../../web/runtime/index.mjs';
import { VARIANTS, compile, invalidity, loadBinaryen } from './cases.mjs';

const binaryen = await loadBinaryen();
const folder = mkdtempSync(join(tmpdir(), 'fx2wasm-shapes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// Numbers that look random and are the same in every run.
function numbers(count, seed = 1) {
  const values = new Float32Array(count);
  let state = seed;
  for (let i = 0; i < count; ++i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = state / 2 ** 31 - 1;
  }
  return values;
}

let files = 0;
async function check(program, inputs, expected, tolerance = 1e-5) {
  const file = join(folder, `${files++}.py`);
  writeFileSync(file, program);
  for (const [simd, schedule] of VARIANTS) {
    const { bytes, error } = await compile(file, ['--simd', simd, '--schedule', schedule]);
    assert.equal(error, undefined);
    if (binaryen) assert.equal(invalidity(binaryen, bytes), null);
    const [result] = (await load(bytes)).run(inputs);
    assert.equal(result.length, expected.length);
    expected.forEach((value, i) => {
      const actual = Number(result[i]);
      const same = Object.is(actual, value) || Math.abs(actual - value) <=
        tolerance + tolerance * Math.abs(value);
      assert.ok(same, `${simd} ${schedule}: element ${i} is ${actual}, not ${value}\n${program}`);
    });
  }
}

const placeholder = (name, shape, dtype = 'float32') =>
  `${name} = te.placeholder((${shape.join(', ')},), "${dtype}", name="${name}")\n`;

const SIZES = [[1, 1, 1], [1, 10, 784], [1, 33, 5], [2, 4, 3], [3, 7, 11], [4, 8, 16], [5, 9, 300],
  [6, 35, 2], [9, 31, 13], [13, 5, 8], [17, 66, 40], [8, 3, 9]];

for (const [m, n, k] of SIZES) {
  const a = numbers(m * k, 2);
  const b = numbers(k * n, 3);
  const product = (second) => Array.from({ length: m * n }, (_, at) => {
    let sum = 0;
    for (let x = 0; x < k; ++x) sum += a[Math.floor(at / n) * k + x] * b[second(x, at % n)];
    return sum;
  });
  test(`matmul ${m} x ${n} x ${k}`, () => check(
    placeholder('A', [m, k]) + placeholder('B', [k, n]) +
      `k = te.reduce_axis((0, ${k}), "k")\n` +
      `C = te.compute((${m}, ${n}), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")\n` +
      'ARGS = [A, B, C]\n',
    [a, b], product((x, j) => x * n + j)));
  test(`matmul with the second operand transposed ${m} x ${n} x ${k}`, () => check(
    placeholder('A', [m, k]) + placeholder('B', [n, k]) +
      `k = te.reduce_axis((0, ${k}), "k")\n` +
      `C = te.compute((${m}, ${n}), lambda i, j: te.sum(A[i, k] * B[j, k], axis=k), name="C")\n` +
      'ARGS = [A, B, C]\n',
    [a, b], product((x, j) => j * k + x)));
}

for (const [rows, columns] of [[1, 1], [3, 4], [5, 17], [16, 33], [2, 100], [70, 3]]) {
  const x = numbers(rows * columns, 5);
  const along = (count, extent, at, start, step) => Array.from({ length: count }, (_, i) => {
    let value = start;
    for (let j = 0; j < extent; ++j) value = step(value, x[at(i, j)]);
    return value;
  });
  for (const [name, start, step] of [
    ['sum', 0, (u, v) => u + v], ['max', -Infinity, Math.max], ['min', Infinity, Math.min]]) {
    test(`${name} of rows ${rows} x ${columns}`, () => check(
      placeholder('A', [rows, columns]) + `k = te.reduce_axis((0, ${columns}), "k")\n` +
        `B = te.compute((${rows},), lambda i: te.${name}(A[i, k], axis=k), name="B")\n` +
        'ARGS = [A, B]\n',
      [x], along(rows, columns, (i, j) => i * columns + j, start, step)));
    test(`${name} of columns ${rows} x ${columns}`, () => check(
      placeholder('A', [rows, columns]) + `k = te.reduce_axis((0, ${rows}), "k")\n` +
        `B = te.compute((${columns},), lambda i: te.${name}(A[k, i], axis=k), name="B")\n` +
        'ARGS = [A, B]\n',
      [x], along(columns, rows, (i, j) => j * columns + i, start, step)));
  }
  test(`transposed plus columns ${rows} x ${columns}`, () => check(
    placeholder('A', [rows, columns]) +
      `B = te.compute((${columns}, ${rows}), lambda i, j: A[j, i] * 2.0, name="B")\n` +
      'ARGS = [A, B]\n',
    [x], Array.from({ length: rows * columns },
      (_, at) => x[(at % rows) * columns + Math.floor(at / rows)] * 2)));
  test(`integers ${rows} x ${columns}`, () => {
    const whole = Int32Array.from(x, (value) => value * 1000);
    return check(
      placeholder('A', [rows, columns], 'int32') + `k = te.reduce_axis((0, ${columns}), "k")\n` +
        `B = te.compute((${rows},), lambda i: te.sum(A[i, k] * A[i, k] - A[i, k] // 7, axis=k), ` +
        'name="B")\nARGS = [A, B]\n',
      [whole], Array.from({ length: rows }, (_, i) => whole
        .subarray(i * columns, (i + 1) * columns)
        .reduce((sum, value) => sum + value * value - Math.floor(value / 7), 0)));
  });
}

for (const [channels, size, kernel, stride] of [[1, 28, 5, 1], [3, 9, 3, 2], [4, 7, 3, 1]]) {
  const filters = 6;
  const out = Math.floor((size - kernel) / stride) + 1;
  const x = numbers(channels * size * size, 7);
  const w = numbers(filters * channels * kernel * kernel, 8);
  const expected = Array.from({ length: filters * out * out }, (_, at) => {
    const [f, y, column] = [Math.floor(at / out / out), Math.floor(at / out) % out, at % out];
    let sum = 0;
    for (let c = 0; c < channels; ++c) {
      for (let dy = 0; dy < kernel; ++dy) {
        for (let dx = 0; dx < kernel; ++dx) {
          sum += x[(c * size + y * stride + dy) * size + column * stride + dx] *
            w[((f * channels + c) * kernel + dy) * kernel + dx];
        }
      }
    }
    return sum;
  });
  test(`convolution of ${channels} x ${size} x ${size} by ${kernel}, stride ${stride}`, () => check(
    placeholder('X', [channels, size, size]) +
      placeholder('W', [filters, channels, kernel, kernel]) +
      `c = te.reduce_axis((0, ${channels}), "c")\n` +
      `dy = te.reduce_axis((0, ${kernel}), "dy")\ndx = te.reduce_axis((0, ${kernel}), "dx")\n` +
      `Y = te.compute((${filters}, ${out}, ${out}), lambda f, y, x: te.sum(` +
      `X[c, y * ${stride} + dy, x * ${stride} + dx] * W[f, c, dy, dx], axis=[c, dy, dx]), ` +
      'name="Y")\nARGS = [X, W, Y]\n',
    [x, w], expected));
}

// One float32 accumulator over 2^20 equal terms is 1 % off.
test('a sum of a million terms keeps its digits', () => {
  const count = 2 ** 20;
  return check(
    placeholder('A', [1, count]) + `k = te.reduce_axis((0, ${count}), "k")\n` +
      'B = te.compute((1,), lambda i: te.sum(A[i, k], axis=k), name="B")\nARGS = [A, B]\n',
    [new Float32Array(count).fill(0.1)], [count * Math.fround(0.1)]);
});

test('maximum and minimum keep NaN', () => {
  const x = Float32Array.from([1, NaN, -1, 2, NaN, 0, 5, 6, -7, NaN]);
  return check(
    placeholder('A', [10]) +
      'B = te.compute((10,), lambda i: tirx.max(A[i], tirx.const(0.0, "float32")), name="B")\n' +
      'ARGS = [A, B]\n',
    [x], Array.from(x, (value) => Math.max(value, 0)));
});

test('a row with a NaN has no maximum', () => {
  const x = numbers(40);
  x[13] = NaN;
  return check(
    placeholder('A', [2, 20]) + 'k = te.reduce_axis((0, 20), "k")\n' +
      'B = te.compute((2,), lambda i: te.max(A[i, k], axis=k), name="B")\nARGS = [A, B]\n',
    [x], [NaN, Math.max(...x.subarray(20))]);
});
