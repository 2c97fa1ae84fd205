// What the specs share: opening the page, and looking at it by role and label.

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';

export const root = resolve(import.meta.dirname, '..');

// Opens the page and waits for the first module; anything on the console fails the spec.
export async function open(page: Page, fragment = ''): Promise<void> {
  page.on('pageerror', (error) => {
    throw error;
  });
  page.on('console', (message) => {
    if (message.type() === 'error') throw new Error(message.text());
  });
  await page.goto(`./${fragment}`);
}

export async function openTranslated(page: Page, fragment = ''): Promise<void> {
  await open(page, fragment);
  await expect(module_(page)).toContainText('def main');
}

export function module_(page: Page): Locator {
  return page.getByRole('group', { name: 'IRModule as TVMScript' });
}

export function stepPane(page: Page): Locator {
  return page.getByRole('region', { name: 'Step', exact: true });
}

export function editor(page: Page, name: string): Locator {
  return page.getByRole('textbox', { name: new RegExp(`^${name}`) });
}

// Waits for Monaco, which comes after the first view.
export async function jsonEditor(page: Page): Promise<Locator> {
  const box = editor(page, 'FX graph JSON');
  await expect(box).toBeAttached({ timeout: 20_000 });
  return box;
}

export async function replaceText(page: Page, box: Locator, text: string): Promise<void> {
  await box.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.keyboard.press('ControlOrMeta+v');
}

export async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    ({ name: file, base64 }) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      transfer.items.add(new File([content], file));
      return transfer;
    },
    { name, base64: bytes.toString('base64') },
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
}

export async function picture(page: Page, name: string): Promise<void> {
  const folder = resolve(root, 'e2e/results');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: resolve(folder, `${name}.png`) });
}

export async function chooseExample(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: /^Example/ }).click();
  await page.getByRole('menuitemradio', { name: title }).click();
}
