// Every case that the compiler covers gives PyTorch's numbers as WebAssembly, in every variant, and
// every kernel is valid by Binaryen's rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  VARIANTS, compile, differenceFrom, graphCases, invalidity, loadBinaryen, programCases,
  recordingsOf,
} from './cases.mjs';

const binaryen = await loadBinaryen();

async function checkVariant(item, [simd, schedule]) {
  const { bytes, error } = await compile(item.source, ['--simd', simd, '--schedule', schedule]);
  assert.equal(error, undefined);
  for (const tensors of recordingsOf(item)) {
    const differs = await differenceFrom({ ...item, tensors }, bytes);
    assert.equal(differs, null, `--simd ${simd} --schedule ${schedule}`);
  }
  if (binaryen) assert.equal(invalidity(binaryen, bytes), null);
}

for (const item of [...graphCases(), ...programCases()]) {
  test(item.name, { concurrency: true }, async () => {
    for (const variant of VARIANTS) await checkVariant(item, variant);
  });
}

test('Binaryen is there to validate', { skip: process.env.FX2WASM_NO_NPM }, () => {
  assert.ok(binaryen, 'run npm ci in web/');
});
