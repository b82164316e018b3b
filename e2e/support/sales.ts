// Sales through the import page, from a till's file; and of a day, written to the database.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, type Page } from '@playwright/test';
import type { Server } from './server.ts';
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

/** Sales of a store's day in pesos, from a file that names no till. */
export function putSales(server: Server, storeId: string, day: string, net: number): void {
  const db = new DatabaseSync(join(server.folder, 'larder.db'));
  const insert = db.prepare(
    `insert into sales_days (store_id, business_date, source, lines, receipts, qty, gross, discount, net, digest, revision,
       posted_at) values (?, ?, 'file', 1, 10, 1000000, ?, 8000, ?, 'x', 1, 0)`,
  );
  insert.run(storeId, Date.parse(day) / 86_400_000, (net + 80) * 100, net * 100);
  db.close();
}
