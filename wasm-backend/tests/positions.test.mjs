// Positions that a tensor holds, when they are wrong: what is read is the nearest element, what
// would be written is not, and nothing outside the tensor is touched (docs/semantics.md).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from '../../web/runtime/index.mjs';
import { VARIANTS, compile, invalidity, loadBinaryen } from './cases.mjs';

const binaryen = await loadBinaryen();
const folder = mkdtempSync(join(tmpdir(), 'fx2wasm-positions-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const FAR = [2n ** 31n, 2n ** 32n, 2n ** 40n, 2n ** 62n + 1n, -(2n ** 63n)];

// One call on the inputs x, positions and values; every tensor is kept, so that a store outside of
// its own would show in a neighbour.
async function check(name, shapes, op, target, args, cases) {
  const file = join(folder, `${name}.fx.json`);
  const inputs = Object.entries(shapes).map(([input, [dtype, ...shape]]) => (
    { op: 'placeholder', name: input, target: input, meta: { shape, dtype } }));
  const call = { op, name: 'result', target, args };
  const output = { op: 'output', name: 'output', target: 'output', args: [{ node: 'result' }] };
  const nodes = [...inputs, call, output];
  writeFileSync(file, JSON.stringify({ fx_graph: 1, name, nodes, modules: {}, tensors: {} }));
  for (const [simd, schedule] of VARIANTS) {
    const options = ['--simd', simd, '--schedule', schedule];
    const { bytes, error } = await compile(file, options);
    assert.equal(error, undefined);
    if (binaryen) assert.equal(invalidity(binaryen, bytes), null);
    const model = await load(bytes);
    for (const [given, wanted] of cases) {
      const before = model.wasmMemory.buffer.byteLength;
      const [result] = model.run(given);
      assert.deepEqual([...result], wanted, `${simd} ${schedule}`);
      assert.equal(model.wasmMemory.buffer.byteLength, before);
    }
  }
}

const x = Float32Array.of(1, 2, 3, 4);
const z = Float32Array.of(10, 20, 30);
const at = (...positions) => BigInt64Array.from(positions);
const node = (name) => ({ node: name });

test('a store at a position outside is not made', () => check(
  'index_put', { x: ['float32', 4], y: ['int64', 3], z: ['float32', 3] },
  'call_method', 'index_put_', [node('x'), [node('y')], node('z')],
  [
    [[x, at(0n, -1n, 2n), z], [10, 2, 30, 20]],
    [[x, at(4n, 1n, -5n), z], [1, 20, 3, 4]],
    ...FAR.map((far) => [[x, at(far, 3n, far), z], [1, 2, 3, 20]]),
  ]));

test('nor is one that adds', () => check(
  'index_put_accumulate', { x: ['float32', 4], y: ['int64', 3], z: ['float32', 3] },
  'call_method', 'index_put_', [node('x'), [node('y')], node('z'), true],
  [
    [[x, at(1n, 1n, -1n), z], [1, 32, 3, 34]],
    ...FAR.map((far) => [[x, at(far, 3n, far), z], [1, 2, 3, 24]]),
  ]));

test('nor is one of rows', () => check(
  'scatter', { x: ['float32', 4], y: ['int64', 3], z: ['float32', 3] },
  'call_function', 'torch.scatter', [node('x'), 0, node('y'), node('z')],
  [
    [[x, at(3n, 0n, 1n), z], [20, 30, 3, 10]],
    [[x, at(4n, 1000n, 1n), z], [1, 30, 3, 4]],
    ...FAR.map((far) => [[x, at(far, 2n, far), z], [1, 2, 20, 4]]),
  ]));

test('a position outside reads the nearest element, a negative one counts from the end', () =>
  check(
    'gather', { x: ['float32', 4], y: ['int64', 3] },
    'call_function', 'torch.gather', [node('x'), 0, node('y')],
    [
      [[x, at(-1n, 4n, -5n)], [4, 4, 1]],
      [[x, at(2n ** 40n, 2n ** 32n, -(2n ** 63n))], [4, 4, 1]],
    ]));
