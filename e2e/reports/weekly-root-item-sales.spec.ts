// From dishes to ingredients: the weekly report, and the effect of editing a bill of materials.

import type { Page } from '@playwright/test';
import { postSales } from '../support/sales.ts';
import { type Api, expect, test } from '../support/test.ts';

interface Weekly {
  items: { id: string; name: string; total: number }[];
  grandTotal: number;
}

const total = async (api: Api, id: string) => {
  const report = await api.call<Weekly>('GET', '/api/reports/weekly-root-item-sales?from=2026-10-05&to=2026-10-11');
  return report.items.find((item) => item.id === id)?.total ?? 0;
};

async function editMultiplier(page: Page, value: string, choice: string, save: string): Promise<void> {
  await page.goto('/lists/pos-items?q=rice%20bowl');
  await page.getByText('Rice bowl', { exact: true }).first().click();
  await page.getByLabel('How much, line 1').fill(value);
  await page.keyboard.press('Control+Enter');
  await page.getByLabel(choice, { exact: false }).first().check();
  await page.getByRole('button', { name: save }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('root units are quantity times multiplier, and the past changes only on request', async ({ signedIn: page, api }) => {
  const rice = await api.call<{ id: string }>('POST', '/api/lists/root-items', { name: 'Rice' });
  await api.call('POST', '/api/lists/pos-items', { description: 'Rice bowl', bom: [{ rootProductId: rice.id, multiplier: 0.15 }] });
  await api.call('POST', '/api/stores/locations', { name: 'Quiapo', code: 'QPO' });
  await postSales(page, api, 'week.csv', [
    'Date,Store,Item,Quantity,Price',
    '2026-10-05,Quiapo,Rice bowl,40,99.00',
    '2026-10-09,Quiapo,Rice bowl,20,99.00',
  ]);
  expect(await total(api, rice.id)).toBe(9);
  await page.goto('/reports/weekly-root-item-sales?from=2026-10-05&to=2026-10-11');
  await expect(page.getByText('Rice', { exact: true }).first()).toBeVisible();

  await editMultiplier(page, '0.2', 'From today', 'Save from today');
  expect(await total(api, rice.id), 'the past as it was').toBe(9);

  const item = await api.call<{ items: { id: string; revision: number }[] }>('GET', '/api/lists/pos-items?q=rice%20bowl');
  const found = item.items[0];
  await api.call('PATCH', `/api/lists/pos-items/${found?.id}`, {
    revision: found?.revision,
    bom: [{ rootProductId: rice.id, multiplier: 0.25 }],
    bomFrom: '2026-10-09',
    recompute: true,
  });
  expect(await total(api, rice.id), '40 × 0.15 before, 20 × 0.25 from the 9th').toBe(11);

  await page.goto(`/reports/weekly-root-item-sales?from=2026-10-05&to=2026-10-11`);
  await page.getByText('11', { exact: true }).first().click();
  await expect(page.getByText('Quiapo').first()).toBeVisible();
});
