// Sales through the import page, from a till's file.

import { expect, type Page } from '@playwright/test';
import type { Api } from './test.ts';

/** Imports a file of sales lines with the suggested mapping, and waits until it is posted. */
export async function postSales(page: Page, api: Api, name: string, lines: readonly string[]): Promise<void> {
  await page.goto('/tools/import-sales-product');
  const buffer = Buffer.from(lines.join('\n'));
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Check every row' }).click();
  await page.getByRole('button', { name: 'Post sales' }).click();
  const batches = '/api/tools/import-sales-product/batches';
  await expect
    .poll(async () => (await api.call<{ items: { state: string }[] }>('GET', batches)).items[0]?.state)
    .toBe('posted');
}
