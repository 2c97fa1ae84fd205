// Keyboard, themes, phone, screen readers, and the page's own trouble.

import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { jsonEditor, module_, open, openTranslated, picture, stepPane } from './page';

const heading = (page: Page) => stepPane(page).getByRole('heading', { level: 2 });

async function noViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const told = violations.map(({ id, nodes }) =>
    `${id}: ${nodes.slice(0, 4).map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  expect(told).toEqual([]);
}

test('the keyboard steps, jumps and plays', async ({ page }) => {
  await openTranslated(page);
  await page.keyboard.press('ArrowRight');
  await expect(heading(page)).toHaveText('linear0');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.getByRole('region', { name: 'Steps' })).toContainText('Node 3');
  await page.keyboard.press('ArrowLeft');
  await expect(heading(page)).toHaveText('linear0');
  await page.keyboard.press('End');
  await expect(heading(page)).toHaveText('output');
  await page.keyboard.press('Home');
  await expect(heading(page)).toHaveText('x');
  await page.keyboard.press('4');
  await expect(heading(page)).toHaveText('linear1');
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await expect(heading(page)).toHaveText('relu');
  await page.keyboard.press('Space');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('F6');
  await expect(page.getByRole('group', { name: 'FX graph JSON' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Result' })).toBeVisible();
});

test('the editor takes its keys and Escape leaves it', async ({ page }) => {
  await openTranslated(page);
  const box = await jsonEditor(page);
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await expect(heading(page)).toHaveText('x');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('group', { name: 'FX graph JSON' })).toBeFocused();
});

test('the graph is walked with the arrow keys', async ({ page }) => {
  await openTranslated(page);
  await page.getByRole('button', { name: /^Node 1, x/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: /^Node 2, linear0/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('linear0');
});

test('the steps are announced', async ({ page }) => {
  await openTranslated(page);
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('[aria-live=polite]')).toContainText('Step 2 of 5, linear0');
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await openTranslated(page, '#v1.step=2');
    await jsonEditor(page);
    await expect(module_(page)).toContainText('cls.dense');
    await noViolations(page);
    await picture(page, `translate-${scheme}-axe`);
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('button', { name: 'Share' }).click();
    await noViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Wasm', exact: true }).first().click();
    await expect(page.getByRole('region', { name: 'Wasm', exact: true }))
      .toContainText('local.get', { timeout: 20_000 });
    await noViolations(page);
    await picture(page, `wasm-${scheme}-axe`);
    await page.getByRole('link', { name: 'Run' }).first().click();
    await expect(page.getByRole('region', { name: 'Result' }))
      .toContainText('equal to PyTorch', { timeout: 20_000 });
    await noViolations(page);
    await picture(page, `run-${scheme}-axe`);
    await page.getByRole('button', { name: 'TE', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Result as TVMScript' }))
      .toContainText('T.prim_func');
    await noViolations(page);
  });
}

test('the theme goes from the system’s to light to dark, and stays', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openTranslated(page);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Theme: as the system' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await picture(page, 'translate-dark');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('one pane at a time, no Monaco, everything in reach', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await open(page);
    await expect(heading(page)).toHaveText('x');
    await page.getByRole('button', { name: /^Next step/ }).click();
    await expect(heading(page)).toHaveText('linear0');
    await picture(page, 'phone-step');
    await page.getByRole('tab', { name: 'Module' }).click();
    await expect(module_(page)).toContainText('cls.dense');
    await picture(page, 'phone-module');
    await page.getByRole('tab', { name: 'Graph' }).first().click();
    await expect(page.getByRole('button', { name: /^Node 3, relu/ })).toBeVisible();
    await picture(page, 'phone-graph');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await expect(page.getByRole('group', { name: 'FX graph JSON' })).toContainText('linear0');
    await noViolations(page);
    await page.getByRole('button', { name: 'Paste' }).click();
    await page.getByRole('textbox', { name: 'FX graph JSON' }).fill('{"fx_graph": 1}');
    await page.getByRole('button', { name: 'Use this graph' }).click();
    await page.getByRole('tab', { name: 'Step' }).click();
    await expect(page.getByRole('region', { name: 'Problems' })).toBeVisible();
    await picture(page, 'phone-problems');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Run' }).click();
    await expect(page.getByRole('region', { name: 'Result' }))
      .toContainText('equal to PyTorch', { timeout: 20_000 });
    await picture(page, 'phone-run');
    await noViolations(page);
    expect(asked.filter((url) => url.includes('monaco'))).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  });
});

test('when the compiler cannot start, the text stays and it can be started again',
  async ({ page }) => {
    await page.route('**/*.wasm', (route) => route.abort());
    await page.goto('./');
    const alert = page.getByRole('alert').filter({ hasText: 'The compiler stopped' });
    await expect(alert).toBeVisible();
    await expect(page.getByRole('group', { name: 'FX graph JSON' })).toContainText('fx_graph');
    await picture(page, 'crash');
    await page.unroute('**/*.wasm');
    await page.getByRole('button', { name: 'Start it again' }).click();
    await expect(module_(page)).toContainText('def main');
    await expect(alert).toHaveCount(0);
  });

test.describe('after the first visit', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the page opens without a network', async ({ page, context }) => {
    await page.goto('./');
    await expect(module_(page)).toContainText('def main');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await expect(module_(page)).toContainText('def main');
    await context.setOffline(true);
    await page.reload();
    await expect(module_(page)).toContainText('def main');
    await context.setOffline(false);
  });
});
