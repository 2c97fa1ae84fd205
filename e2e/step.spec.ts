// Stepping through the translation, node by node and call by call.

import { expect, test } from '@playwright/test';
import { chooseExample, module_, openTranslated, picture, stepPane } from './page';

test('the first view is there within a second', async ({ page }) => {
  await openTranslated(page);
  const shown = await page.evaluate(() => {
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    return paint?.startTime ?? Infinity;
  });
  expect(shown).toBeLessThan(1000);
  // The graph's text stands before Monaco has come.
  await expect(page.getByRole('group', { name: 'FX graph JSON' })).toContainText('fx_graph');
  await picture(page, 'first-view');
});

test('buttons go through the nodes and show what each became', async ({ page }) => {
  await openTranslated(page);
  const step = stepPane(page);
  await expect(step.getByRole('heading', { level: 2 })).toHaveText('x');
  await page.getByRole('button', { name: /^Next step/ }).click();
  await expect(step.getByRole('heading', { level: 2 })).toHaveText('linear0');
  await expect(step).toContainText('call_module_map[torch.nn.Linear]');
  await expect(step.getByRole('group', { name: 'Source of the rule' })).toContainText('def ');
  const row = step.getByRole('row', { name: /linear0/ });
  await expect(row).toContainText('not yet');
  await expect(row).toContainText('lv1');
  await expect(row).toContainText('(1, 128)');
  await expect(step.getByRole('list', { name: 'Builder calls' })).toContainText('emit_te');
  await expect(step.getByRole('group', { name: 'Tensor expression' }))
    .toContainText('te.placeholder');
  await expect(step.getByRole('group', { name: 'PrimFunc as TVMScript' }))
    .toContainText('T.prim_func');
  await expect(module_(page)).toContainText('cls.dense');
  await expect(page.getByRole('region', { name: 'IRModule' })).toContainText('2 functions');
  await picture(page, 'translate-light');

  await page.getByRole('button', { name: /^Last step/ }).click();
  await expect(step.getByRole('heading', { level: 2 })).toHaveText('output');
  await expect(module_(page)).toContainText('R.output(gv)');
  await page.getByRole('button', { name: /^Previous step/ }).click();
  await expect(step.getByRole('heading', { level: 2 })).toHaveText('linear1');
  await page.getByRole('button', { name: /^First step/ }).click();
  await expect(step.getByRole('heading', { level: 2 })).toHaveText('x');
});

test('the slider goes call by call', async ({ page }) => {
  await openTranslated(page);
  const slider = page.getByRole('slider', { name: 'Builder calls made' });
  await slider.fill('6');
  await expect(stepPane(page).getByRole('heading', { level: 2 })).toHaveText('linear0');
  await expect(page.getByRole('region', { name: 'Steps' })).toContainText('call 6');
  await page.getByRole('radio', { name: 'By call' }).click();
  await page.getByRole('button', { name: /^Next step/ }).click();
  await expect(page.getByRole('region', { name: 'Steps' })).toContainText('call 7');
  await expect(stepPane(page).getByRole('listitem').and(page.locator('[aria-current=step]')))
    .toHaveCount(1);
});

test('play runs to the end', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openTranslated(page);
  await page.getByRole('button', { name: /^Play/ }).click();
  await expect(page.getByRole('button', { name: /^Pause/ })).toBeVisible();
  await expect(stepPane(page).getByRole('heading', { level: 2 })).toHaveText('output');
  await expect(page.getByRole('button', { name: /^Play/ })).toBeVisible();
});

test('the graph and its table choose a node too', async ({ page }) => {
  await openTranslated(page);
  await page.getByRole('button', { name: /^Node 3, relu/ }).click();
  await expect(stepPane(page).getByRole('heading', { level: 2 })).toHaveText('relu');
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: '4 linear1', exact: true }).click();
  await expect(stepPane(page).getByRole('heading', { level: 2 })).toHaveText('linear1');
  await picture(page, 'graph-table');
});

test('pointing at a node lights up its partners in every pane', async ({ page }) => {
  await openTranslated(page, '#v1.step=5');
  await page.getByRole('button', { name: /^Node 3, relu/ }).hover();
  const line = module_(page).locator('.ln', { hasText: 'lv2 = R.call_tir' });
  await expect(line).toHaveCSS('background-color', 'rgb(224, 245, 238)');
  await picture(page, 'linked');
});

test('every example opens and translates', async ({ page }) => {
  await openTranslated(page);
  await page.getByRole('button', { name: /^Example/ }).click();
  const titles = await page.getByRole('menuitemradio').locator('b').allTextContents();
  await page.keyboard.press('Escape');
  expect(titles.length).toBeGreaterThan(4);
  for (const title of titles) {
    await chooseExample(page, title);
    await page.getByRole('button', { name: /^Last step/ }).click();
    await expect(module_(page)).toContainText('R.output');
    await expect(page.getByRole('status').first()).toContainText('Translated');
  }
});
