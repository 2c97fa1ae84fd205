// Running the compiled module: one image, all images, a drawing, tensors, other weights.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { drop, jsonEditor, open, picture, replaceText, root } from './page';

interface Expected {
  correct: number;
  first_scores: number[][];
}

function expectedOf(id: string): Expected {
  return JSON.parse(
    readFileSync(resolve(root, `examples/${id}/expected.json`), 'utf8')) as Expected;
}

const result = (page: Page) => page.getByRole('region', { name: 'Result' });

function scoresOf(page: Page) {
  return result(page).getByRole('table').first().getByRole('row');
}

test('an image gives ten scores beside PyTorch’s', async ({ page }) => {
  await open(page, '#v1.view=run');
  await expect(result(page)).toContainText('equal to PyTorch', { timeout: 20_000 });
  await expect(scoresOf(page)).toHaveCount(11);
  const expected = expectedOf('mlp').first_scores;
  for (const index of [0, 7, 18]) {
    await page.getByRole('button', { name: new RegExp(`^Image ${index}: `) }).click();
    await expect(result(page).getByRole('heading', { level: 2 })).toHaveText(`Image ${index}`);
    const first = (expected[index]?.[0] ?? NaN).toFixed(4).replace('-', '−');
    await expect(scoresOf(page).nth(1)).toContainText(first);
    await expect(result(page)).toContainText('equal to PyTorch');
    await expect(result(page)).toContainText('largest difference');
  }
  await expect(page.getByRole('region', { name: 'Speed' })).toContainText('an image, median',
    { timeout: 20_000 });
  await picture(page, 'run-light');
  await page.getByRole('radio', { name: 'Probabilities' }).click();
  await expect(scoresOf(page).first()).toContainText('probability');
});

test('what each node saw is a picture', async ({ page }) => {
  await open(page, '#v1.view=run');
  for (const node of ['x', 'linear0', 'relu', 'linear1']) {
    await expect(result(page).getByRole('img', { name: new RegExp(` after ${node}$`) }))
      .toBeVisible({ timeout: 20_000 });
  }
  const tensors = result(page).getByRole('table').nth(1);
  await expect(tensors.getByRole('row', { name: /relu/ })).toContainText('(1, 128) float32');
});

for (const id of ['mlp', 'cnn']) {
  test(`all 10,000 images of ${id}: the same count as PyTorch`, async ({ page }) => {
    test.setTimeout(180_000);
    await open(page, `#v1.ex=${id}&view=run`);
    const run = page.getByRole('button', { name: 'Run all 10,000' });
    await expect(run).toBeEnabled({ timeout: 20_000 });
    await run.click();
    const images = page.getByRole('region', { name: 'Images' });
    const { correct } = expectedOf(id);
    const count = correct.toLocaleString('en-US');
    await expect(images).toContainText(`${count} of 10,000 right`, { timeout: 150_000 });
    await expect(images).toContainText(`equal to PyTorch’s ${count}`);
    await expect(images).toContainText('same class as PyTorch on all 10,000');
    await expect(images).toContainText(`${(correct / 100).toFixed(2)} %`);
    await picture(page, `run-all-${id}`);
  });
}

for (const variant of ['simd128', 'scalar']) {
  test(`the ${variant} variant gives the same scores`, async ({ page }) => {
    await open(page, '#v1.view=run');
    await page.getByRole('region', { name: 'Speed' }).getByRole('radio', { name: variant })
      .click();
    await expect(result(page)).toContainText('equal to PyTorch', { timeout: 30_000 });
  });
}

test('stop stops', async ({ page }) => {
  // Without SIMD and schedule the run takes long enough to be stopped.
  await open(page, '#v1.ex=cnn&view=run&simd=off&sched=off');
  const run = page.getByRole('button', { name: 'Run all 10,000' });
  await expect(run).toBeEnabled({ timeout: 20_000 });
  await run.click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('region', { name: 'Images' })).toContainText(/stopped at .* of/);
  await expect(run).toBeEnabled();
  await picture(page, 'run-stopped');
});

test('a weight that is zeroed changes the accuracy', async ({ page }) => {
  test.setTimeout(120_000);
  const file = readFileSync(resolve(root, 'examples/mlp/mlp.safetensors'));
  const headerSize = Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.subarray(8, 8 + headerSize).toString()) as
    Record<string, { data_offsets: [number, number] }>;
  const [begin, end] = header['linear1.weight']?.data_offsets ?? [0, 0];
  expect(end).toBeGreaterThan(begin);
  file.fill(0, 8 + headerSize + begin, 8 + headerSize + end);

  await open(page, '#v1.view=run');
  await expect(result(page)).toContainText('equal to PyTorch', { timeout: 20_000 });
  await drop(page, 'mlp.safetensors', file);
  await expect(result(page)).toContainText('differs from PyTorch', { timeout: 20_000 });
  const run = page.getByRole('button', { name: 'Run all 10,000' });
  await expect(run).toBeEnabled();
  await run.click();
  const images = page.getByRole('region', { name: 'Images' });
  // Without its last weights the network answers with its bias alone: one class, a tenth right.
  await expect(images).toContainText('1,000 of 10,000 right', { timeout: 60_000 });
  await expect(images).toContainText('PyTorch: 8,');
  await picture(page, 'run-zeroed');
});

test('a drawing is run as it is drawn', async ({ page }) => {
  await open(page, '#v1.view=run');
  await expect(result(page)).toContainText('equal to PyTorch', { timeout: 20_000 });
  await page.getByRole('button', { name: 'Draw your own' }).click();
  const board = page.getByRole('img', { name: /^Drawing board/ });
  const box = await board.boundingBox();
  if (box === null) throw new Error('no board');
  const before = await scoresOf(page).nth(1).innerText();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.35, box.y + box.height * 0.9, { steps: 12 });
  await page.mouse.up();
  await expect.poll(() => scoresOf(page).nth(1).innerText()).not.toBe(before);
  await expect(result(page).getByRole('heading', { level: 2 })).toHaveText('Your drawing');
  await picture(page, 'run-drawing');
});

test('an example of tensors shows its outputs beside PyTorch’s', async ({ page }) => {
  for (const id of ['matmul_relu', 'residual_add', 'relu_three_ways', 'call_method']) {
    await page.goto('about:blank');
    await open(page, `#v1.ex=${id}&view=run`);
    await expect(result(page)).toContainText('equal to PyTorch', { timeout: 20_000 });
    await expect(result(page)).toContainText('output.0');
  }
  await picture(page, 'run-tensors');
});

test('a graph without weights translates, and running says what to open', async ({ page }) => {
  await open(page);
  const box = await jsonEditor(page);
  const graph = readFileSync(
    resolve(root, 'conformance/cases/lecture/fx_mlp/graph.fx.json'), 'utf8');
  await replaceText(page, box, graph.replace('"fx_mlp"', '"mine"')
    .replaceAll('linear0', 'other0'));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Node 2, other0/ })).toBeVisible();
  await page.getByRole('link', { name: 'Run' }).first().click();
  await expect(page.getByRole('note')).toContainText('comes without weights');
  await picture(page, 'no-weights');
});
