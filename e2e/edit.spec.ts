// Editing, mistakes, rules, TE programs.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import {
  editor, jsonEditor, module_, openTranslated, picture, replaceText, root, stepPane,
} from './page';

const mlp = readFileSync(resolve(root, 'examples/mlp/mlp.fx.json'), 'utf8');

test('a pasted graph is translated', async ({ page }) => {
  await openTranslated(page);
  const box = await jsonEditor(page);
  const other = readFileSync(
    resolve(root, 'examples/relu_three_ways/relu_three_ways.fx.json'), 'utf8');
  await replaceText(page, box, other);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Last step/ }).click();
  await expect(module_(page)).toContainText('relu');
  await expect(module_(page)).not.toContainText('dense');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: /^Last step/ }).click();
  await expect(module_(page)).toContainText('dense');
});

test('mistakes are marked at their place and the last good module stays', async ({ page }) => {
  await openTranslated(page, '#v1.step=2');
  const box = await jsonEditor(page);
  await replaceText(page, box, mlp
    .replace('"torch.nn.ReLU"', '"mylayers.Gate"')
    .replace('"torch.nn.Linear"', '"mylayers.Dense"'));
  const problems = page.getByRole('region', { name: 'Problems' });
  await expect(problems.getByRole('listitem')).toHaveCount(2);
  await expect(problems).toContainText('mylayers.Gate');
  await expect(problems).toContainText('mylayers.Dense');
  const module = page.getByRole('region', { name: 'IRModule' });
  await expect(module).toContainText('stale');
  await expect(module).toContainText('cls.dense');
  await expect(page.getByRole('button', { name: /problem: / }).first()).toBeVisible();
  await picture(page, 'errors-light');

  // F8 goes from one to the next, and to its place in the text.
  await page.keyboard.press('F8');
  await expect(problems.locator('[aria-current=true]')).toContainText('Gate');
  await expect(box).toBeFocused();

  await page.getByRole('button', { name: 'Back to that graph' }).click();
  await expect(problems).toHaveCount(0);
  await expect(module).not.toContainText('stale');
});

test('text that is no JSON is reported with its line and column', async ({ page }) => {
  await openTranslated(page);
  const box = await jsonEditor(page);
  await replaceText(page, box, mlp.replace('"nodes": [', '"nodes": [[,'));
  const problems = page.getByRole('region', { name: 'Problems' });
  await problems.getByRole('button', { name: /^Go to line 4, column/ }).click();
  await expect(box).toBeFocused();
});

test('an empty text says what goes there', async ({ page }) => {
  await openTranslated(page);
  const box = await jsonEditor(page);
  await box.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await expect(page.getByText('Paste an FX graph as JSON')).toBeVisible();
  await picture(page, 'empty');
});

test('the page says how to get the JSON', async ({ page }) => {
  await openTranslated(page);
  await page.getByRole('button', { name: 'Get JSON' }).click();
  const dialog = page.getByRole('dialog', { name: 'How to get this JSON' });
  await expect(dialog).toContainText('fx2wasm.export(');
  await picture(page, 'how-to');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a rule can be edited and the module follows', async ({ page }) => {
  await openTranslated(page, '#v1.step=3');
  await jsonEditor(page);
  await stepPane(page).getByRole('button', { name: 'Edit rule' }).click();
  const box = editor(page, 'Rules, Python');
  await expect(box).toBeAttached();
  const rules = readFileSync(
    resolve(root, 'conformance/lecture_programs/rules_te.py'), 'utf8');
  await replaceText(page, box, rules.replace('te.max(x(*i), 0)', 'te.max(x(*i), 6)'));
  await expect(module_(page)).toContainText('T.float32(6.0)');
  await expect(stepPane(page)).toContainText('edited rules');
  await picture(page, 'rule-edited');

  await replaceText(page, box, rules.replace('te.max(x(*i), 0)', 'te.maxx(x(*i), 0)'));
  await expect(stepPane(page).getByRole('alert').first()).toContainText('maxx');
  await expect(page.getByRole('region', { name: 'IRModule' })).toContainText('stale');

  await stepPane(page).getByRole('button', { name: 'Back to the built-in rules' }).click();
  await expect(module_(page)).toContainText('T.float32(0.0)');
  await expect(module_(page)).not.toContainText('T.float32(6.0)');
});

test('a TE program gives its PrimFunc at every keystroke', async ({ page }) => {
  await openTranslated(page);
  await page.getByRole('button', { name: 'TE', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result as TVMScript' });
  await page.getByRole('combobox', { name: 'Program' }).selectOption('te_matmul.py');
  await expect(result).toContainText('matmul');
  await expect(result.getByRole('heading')).toHaveText('PrimFunc');
  const box = editor(page, 'TE program');
  await expect(box).toBeAttached();
  const program = readFileSync(
    resolve(root, 'conformance/lecture_programs/te_matmul.py'), 'utf8');
  await replaceText(page, box, program.replaceAll('128', '96'));
  await expect(result).toContainText('(96, 96)');
  await picture(page, 'te-program');

  await replaceText(page, box, program.replace('te.sum', 'te.summ'));
  await expect(page.getByRole('list', { name: 'List of problems' })).toContainText('summ');
  await expect(result).toContainText('last good program');
  await picture(page, 'te-error');

  await page.getByRole('combobox', { name: 'Program' }).selectOption('builder_emit_te.py');
  await expect(result.getByRole('heading')).toHaveText('IRModule');
  await expect(result).toContainText('R.call_tir');
});
