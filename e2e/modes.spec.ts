// emit_te, Relax operators, legalised; for the graph and for one node; both rule sets.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { module_, openTranslated, picture, root, stepPane } from './page';

const expected = (name: string): string =>
  readFileSync(resolve(root, 'conformance/cases/lecture', name, 'expected.module.py'), 'utf8')
    .replace(/\n$/, '');

// The lecture's MLP without weights: the text that TVM prints for it is recorded.
async function openLecture(page: Parameters<typeof openTranslated>[0]): Promise<void> {
  await openTranslated(page);
  await page.getByLabel('Open an .fx.json or .safetensors file').first()
    .setInputFiles(resolve(root, 'conformance/cases/lecture/fx_mlp/graph.fx.json'));
  await expect(page.getByRole('button', { name: /^Example/ })).toContainText('edited');
  await page.getByRole('button', { name: /^Last step/ }).click();
}

async function copied(page: Parameters<typeof openTranslated>[0]): Promise<string> {
  await page.getByRole('button', { name: 'Copy TVMScript' }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

test('the three modes give TVM’s text', async ({ page }) => {
  await openLecture(page);
  await expect(module_(page)).toContainText('R.call_tir(cls.dense');
  await expect.poll(() => copied(page)).toBe(expected('fx_mlp_te'));

  await page.getByRole('radio', { name: 'Relax ops' }).click();
  await expect.poll(() => copied(page)).toBe(expected('fx_mlp_ops'));
  await picture(page, 'relax');

  await page.getByRole('radio', { name: 'Legalised' }).click();
  await expect(module_(page)).toContainText('def transpose');
  await expect(module_(page)).not.toContainText('R.nn.relu(');
});

test('one node can be translated otherwise than the graph', async ({ page }) => {
  await openTranslated(page, '#v1.step=3');
  const choice = stepPane(page).getByRole('radiogroup', { name: 'Translate relu to' });
  await choice.getByRole('radio', { name: 'Relax op' }).click();
  await expect(module_(page)).toContainText('R.nn.relu');
  await expect(module_(page)).toContainText('R.call_tir(cls.dense');
  await choice.getByRole('radio', { name: 'As the graph' }).click();
  await expect(module_(page)).not.toContainText('R.nn.relu');
});

test('TVM’s own rules name the input as TVM does', async ({ page }) => {
  await openTranslated(page, '#v1.step=5');
  await stepPane(page).getByRole('radio', { name: 'TVM rules' }).click();
  await expect(module_(page)).toContainText('inp_0');
});

test('weights can be shown by name or as TVM prints them', async ({ page }) => {
  await openTranslated(page, '#v1.step=5');
  await expect(module_(page)).toContainText('linear0.weight');
  await page.getByRole('switch', { name: 'Name weights' }).click();
  await expect(module_(page)).toContainText('metadata["ir.GenericConst"][0]');
  await page.getByRole('switch', { name: 'Wrap' }).click();
  await picture(page, 'no-wrap');
});
