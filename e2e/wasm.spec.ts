// The Wasm view: functions, listing, variants, library kernels, Binaryen.

import { expect, test } from '@playwright/test';
import { open, picture } from './page';

test('functions, sizes and the listing are there at once', async ({ page }) => {
  await open(page, '#v1.view=wasm');
  const functions = page.getByRole('region', { name: 'Functions' });
  const dense = functions.getByRole('button', { name: /dense/ }).first();
  await expect(dense).toContainText(/\d+ B/, { timeout: 20_000 });
  await dense.click();
  const listing = page.getByRole('region', { name: 'Wasm', exact: true });
  await expect(listing).toContainText('v128');
  await expect(page.getByRole('region', { name: 'PrimFunc' })).toContainText('T.prim_func');
  await picture(page, 'wasm-light');

  await page.getByRole('radio', { name: 'scalar' }).click();
  await expect(listing).not.toContainText('v128');
  await expect(listing).toContainText('f32.');
  await page.getByRole('radio', { name: 'simd128' }).click();
  await expect(listing).toContainText('v128');
  await expect(listing).not.toContainText('relaxed');
  await page.getByRole('radio', { name: 'relaxed' }).click();
  await expect(listing).toContainText('relaxed_madd');
});

test('the schedule can be turned off', async ({ page }) => {
  await open(page, '#v1.view=wasm');
  const listing = page.getByRole('region', { name: 'Wasm', exact: true });
  await page.getByRole('region', { name: 'Functions' })
    .getByRole('button', { name: /dense/ }).first().click();
  await expect(listing).toContainText('v128');
  const before = await listing.innerText();
  await page.getByRole('switch', { name: 'Schedule' }).click();
  await expect.poll(() => listing.innerText()).not.toBe(before);
});

test('a node can go to a hand-written kernel, with the same scores', async ({ page }) => {
  await open(page, '#v1.view=wasm');
  const choice = page.getByRole('radiogroup', { name: 'linear0 by' });
  await choice.getByRole('radio', { name: 'Library' }).click();
  const functions = page.getByRole('region', { name: 'Functions' });
  await expect(functions.getByRole('listitem').filter({ hasText: 'library' }).first())
    .toBeVisible({ timeout: 20_000 });
  await picture(page, 'wasm-library');
  await page.getByRole('link', { name: 'Run' }).first().click();
  await expect(page.getByRole('region', { name: 'Result' }))
    .toContainText('equal to PyTorch', { timeout: 20_000 });
});

test('Binaryen optimises on demand, WAT before and after', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '#v1.view=wasm');
  const binaryen = page.getByRole('region', { name: 'Binaryen' });
  await page.getByRole('region', { name: 'Functions' })
    .getByRole('button', { name: /dense/ }).first().click();
  await binaryen.getByRole('button', { name: 'Optimise with Binaryen' }).click();
  await expect(binaryen.locator('.chip--ok')).toHaveText('valid', { timeout: 60_000 });
  await binaryen.getByRole('radio', { name: /^Before/ }).click();
  await expect(binaryen).toContainText('(func ');
  const before = await binaryen.innerText();
  await binaryen.getByRole('radio', { name: /^After/ }).click();
  await expect.poll(() => binaryen.innerText()).not.toBe(before);
  await expect(binaryen).toContainText('(func $dense');
  await picture(page, 'wasm-binaryen');
});
