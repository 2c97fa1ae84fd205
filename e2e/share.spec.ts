// Links and downloads.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import {
  chooseExample, jsonEditor, module_, open, openTranslated, picture, replaceText, root, stepPane,
} from './page';

const mlp = readFileSync(resolve(root, 'examples/mlp/mlp.fx.json'), 'utf8');

async function sharedLink(page: Parameters<typeof openTranslated>[0]): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click();
  const field = page.getByRole('textbox', { name: 'Link' });
  await expect(field).toHaveValue(/^http/);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('button', { name: 'Link copied' })).toBeVisible();
  await picture(page, 'share');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press('Escape');
  return link;
}

test('an unchanged example is a short link that restores mode and step', async ({ page }) => {
  await openTranslated(page);
  await chooseExample(page, 'Matmul and relu');
  await page.getByRole('radio', { name: 'Relax ops' }).click();
  await page.getByRole('button', { name: /^Node 3, matmul/ }).click();
  const link = await sharedLink(page);
  expect(link.split('#')[1]?.length).toBeLessThan(60);

  await page.goto('about:blank');
  await page.goto(link);
  await expect(stepPane(page).getByRole('heading', { level: 2 })).toHaveText('matmul');
  await expect(page.getByRole('radio', { name: 'Relax ops' })).toBeChecked();
  await expect(module_(page)).toContainText('R.matmul');
});

test('an edited graph travels in the link, its weights do not', async ({ page }) => {
  await openTranslated(page);
  const box = await jsonEditor(page);
  await replaceText(page, box, mlp.replaceAll('linear0', 'first_layer'));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Node 2, first_layer/ })).toBeVisible();
  const link = await sharedLink(page);
  expect(link.length).toBeLessThan(2000);

  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('button', { name: /^Node 2, first_layer/ })).toBeVisible();
});

test('a broken link opens a usable page and says what is wrong', async ({ page }) => {
  await openTranslated(page, '#v1.ex=mlp&g=eJyrVkrLz1eyUkpKLFKqBQA&mode=fast');
  const note = page.getByRole('note');
  await expect(note).toContainText('This link could not be read in full');
  await expect(note).toContainText('fast');
  await picture(page, 'broken-link');
  await page.getByRole('button', { name: 'Start from the first example' }).click();
  await expect(note).toHaveCount(0);
  await page.getByRole('button', { name: /^Last step/ }).click();
  await expect(module_(page)).toContainText('R.output');
});

test('a link of an unknown version is reported', async ({ page }) => {
  await openTranslated(page, '#v7.something');
  await expect(page.getByRole('note')).toContainText('no version that this page knows');
});

test('back and forward between two links in one tab', async ({ page }) => {
  await openTranslated(page, '#v1.step=2');
  await page.evaluate(() => (location.hash = '#v1.step=4'));
  await expect(stepPane(page).getByRole('heading', { level: 2 })).toHaveText('linear1');
});

test('Wasm, TVMScript and FX JSON can be downloaded', async ({ page }) => {
  await openTranslated(page, '#v1.step=5');
  await expect(module_(page)).toContainText('R.output');
  const take = async (name: string): Promise<{ file: string; bytes: Buffer }> => {
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ]);
    return {
      file: download.suggestedFilename(),
      bytes: readFileSync(await download.path()),
    };
  };
  const graph = await take('FX JSON');
  expect(graph.file).toBe('mlp.fx.json');
  expect(graph.bytes.toString()).toBe(mlp);
  const script = await take('TVMScript');
  expect(script.file).toBe('mlp.py');
  expect(script.bytes.toString()).toContain('R.call_tir(cls.dense');
  const wasm = await take('Wasm module');
  expect(wasm.file).toBe('mlp.wasm');
  expect(wasm.bytes.subarray(0, 4)).toEqual(Buffer.from([0, 0x61, 0x73, 0x6d]));
  // Node 20 does not take relaxed SIMD without a flag, so only the weights' size is checked here.
  expect(wasm.bytes.length).toBeGreaterThan(400_000);
});

test('nothing is asked of another server', async ({ page }) => {
  const others: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('http://localhost') && !request.url().startsWith('blob:') &&
      !request.url().startsWith('data:')) others.push(request.url());
  });
  await open(page);
  await jsonEditor(page);
  expect(others).toEqual([]);
});
