// The examples give PyTorch's recorded answers as WebAssembly, in every variant: the class of each
// of the 10,000 test images, the scores of the first 256, and the tensors of the small graphs.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { load } from '../../web/runtime/index.mjs';
import { readSafetensors, writeSafetensors } from '../../web/runtime/safetensors.mjs';
import { ROOT, VARIANTS, compile, differenceFrom } from './cases.mjs';

const folder = join(ROOT, 'examples');
const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
const IMAGE_HEADER = 16; // bytes of an idx3 file before its pixels
const LABEL_HEADER = 8;

const unzip = (name, header) =>
  gunzipSync(readFileSync(join(folder, name))).subarray(header);
const pixels = unzip(index.fashion_mnist.images, IMAGE_HEADER);
const labels = unzip(index.fashion_mnist.labels, LABEL_HEADER);

const indexOfLargest = (scores) => scores.reduce((best, x, i) => (x > scores[best] ? i : best), 0);

/** The scores of each image, in order. */
function allScores(model, { shape, scale }) {
  const size = shape.reduce((a, b) => a * b, 1);
  return Array.from(labels, (_, image) => {
    const input = Float32Array.from(
      pixels.subarray(image * size, (image + 1) * size), (pixel) => pixel * scale);
    return model.run([input])[0];
  });
}

const countRight = (scores) =>
  scores.filter((row, image) => indexOfLargest(row) === labels[image]).length;

function checkScores(scores, expected) {
  for (const [image, row] of expected.first_scores.entries()) {
    for (const [i, wanted] of row.entries()) {
      const gap = Math.abs(scores[image][i] - wanted);
      assert.ok(gap <= 1e-5 + 1e-5 * Math.abs(wanted), `image ${image}, score ${i}: ${gap}`);
    }
  }
}

for (const example of index.examples.filter(({ kind }) => kind === 'fashion_mnist')) {
  const expected = JSON.parse(readFileSync(join(folder, example.expected), 'utf8'));
  for (const [simd, schedule] of VARIANTS) {
    test(`${example.id}: 10,000 images, --simd ${simd} --schedule ${schedule}`, async () => {
      const options = ['--simd', simd, '--schedule', schedule];
      const { bytes, error } = await compile(join(folder, example.graph), options);
      assert.equal(error, undefined);
      const scores = allScores(await load(bytes), expected.input);
      checkScores(scores, expected);
      assert.equal(scores.map(indexOfLargest).join(''), expected.predictions);
      assert.equal(countRight(scores), expected.correct);
    });
  }
}

test('a weight of zeros changes the count: nothing is recorded', async () => {
  const [example] = index.examples;
  const expected = JSON.parse(readFileSync(join(folder, example.expected), 'utf8'));
  const { bytes } = await compile(join(folder, example.graph), []);
  const weights = readSafetensors(readFileSync(join(folder, example.weights)));
  const [name] = [...weights.keys()].filter((key) => key.endsWith('weight')).slice(-1);
  weights.get(name).data.fill(0);
  const scratch = mkdtempSync(join(tmpdir(), 'fx2wasm-'));
  const { bytes: bare, error } = await compile(
    join(folder, example.graph), ['--weights-out', join(scratch, 'weights.safetensors')]);
  rmSync(scratch, { recursive: true });
  assert.equal(error, undefined);
  const model = await load(bare, { weights: writeSafetensors(weights) });
  assert.notEqual(countRight(allScores(model, expected.input)), expected.correct);
  assert.equal(countRight(allScores(await load(bytes), expected.input)), expected.correct);
});

for (const example of index.examples.filter(({ kind }) => kind === 'tensors')) {
  test(`${example.id}: PyTorch's tensors`, async () => {
    const item = { tensors: join(folder, example.io), rtol: 1e-5, atol: 1e-5 };
    assert.ok(existsSync(item.tensors));
    for (const [simd, schedule] of VARIANTS) {
      const options = ['--simd', simd, '--schedule', schedule];
      const { bytes, error } = await compile(join(folder, example.graph), options);
      assert.equal(error, undefined);
      assert.equal(await differenceFrom(item, bytes), null);
    }
  });
}
