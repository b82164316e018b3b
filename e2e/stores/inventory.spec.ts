// Store inventory: from a figure to its sources.

import type { Page } from '@playwright/test';
import { postSales } from '../support/sales.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

const back = (days: number): string => new Date(Date.now() + (8 - 24 * days) * 3_600_000).toISOString().slice(0, 10);

interface Stage {
  store: string;
  loose: string;
  rice: string;
}

/** A store that counted rice twice, with sales before and since. */
async function build(page: Page, api: Api): Promise<Stage> {
  const make = async (path: string, body: object) => (await api.call<{ id: string }>('POST', path, body)).id;
  const rice = await make('/api/lists/root-items', { name: 'Rice', price: 50 });
  await make('/api/lists/pos-items', { description: 'Rice bowl', bom: [{ rootProductId: rice, multiplier: 0.25 }] });
  const store = await make('/api/stores/locations', { name: 'Quiapo', code: 'QPO' });
  const uomId = await make('/api/lists/uoms', { name: 'Kilo', code: 'kg' });
  const items = '/api/lists/store-inventory-items';
  const loose = await make(items, { name: 'Rice, loose', rootItemId: rice, uomId });
  await make(items, { name: 'Takeout box' });
  const relaxed = { enforceTimeWindow: false, timeLockEnabled: false, restrictDate: false };
  await api.call('PUT', `/api/stores/count/settings/${store}`, relaxed);
  const at = new Date().toISOString();
  const entries = [
    [back(2), 20],
    [back(1), 17],
  ].map(([date, qty], i) => ({
    op: `paper:${i + 1}`,
    seq: i + 1,
    storeId: store,
    date,
    session: 'closing',
    itemId: loose,
    qty,
    at,
    base: null,
    prev: null,
  }));
  await api.call('POST', '/api/stores/count/batch', { sentAt: at, deviceId: 'paper', entries });
  await postSales(page, api, 'days.csv', [
    'Date,Store,Item,Quantity,Price',
    `${back(1)},Quiapo,Rice bowl,8,99.00`,
    `${back(0)},Quiapo,Rice bowl,4,99.00`,
  ]);
  return { store, loose, rice };
}

test('a figure leads to its counts and sales', async ({ signedIn: page, api }) => {
  const { store, loose, rice } = await build(page, api);
  await page.goto(`/stores/inventory?store=${store}`);
  await expect(page.getByText('Rice, loose', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Rice, loose' });
  await expect(drawer).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`item=${loose}`));

  // The figures and their sources: 20 − 2 = 18, counted 17; then 17 − 1 = 16.
  const figure = (name: string) => drawer.locator('dl > div').filter({ hasText: name });
  await expect(figure('On hand')).toContainText('16 kg');
  await expect(figure('Expected at the last count')).toContainText('18 kg');
  await expect(figure('Variance')).toContainText('−1 kg · −₱50.00');
  const days = drawer.getByRole('table', { name: 'Day by day' });
  const row = (text: string | RegExp) => days.getByRole('row').filter({ hasText: text });
  await expect(row('Closing count: 17')).toContainText('expected 18');
  await expect(row('Closing count: 17')).toContainText('−1');
  await expect(row('Closing count: 20')).toContainText('first count');
  await expect(row('Used by sales').first()).toContainText('−2');
  await expect(row('Used by sales').last()).toContainText('−1');
  await expect(row('end of day')).toContainText('16 kg');
  await expect(drawer.getByRole('figure', { name: 'On hand by day' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(row('end of day')).toContainText('16 kg');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  // Back closes it, its URL opens it again, and another range shows less.
  await page.goBack();
  await expect(drawer).toBeHidden();
  await page.goto(`/stores/inventory?store=${store}&item=${loose}&since=${back(0)}&until=${back(0)}`);
  await expect(row(/^Before/)).toContainText('17');
  await expect(row('Closing count')).toHaveCount(0);
  await drawer.getByRole('button', { name: 'Since the last two counts' }).click();
  await expect(row('Closing count')).toHaveCount(2);

  // Sales lead to the report of that day.
  await drawer.getByRole('link', { name: '8 sold of 1 POS item' }).click();
  await expect(page).toHaveURL(/\/reports\/sales-by-root-items/);
  const drill = page.getByRole('dialog', { name: 'Rice' });
  await expect(drill).toContainText('Quiapo');
  await page.goto(`/stores/inventory?store=${store}&by=rootItems&item=${rice}`);
  const ofRice = page.getByRole('dialog', { name: 'Rice', exact: true });
  await expect(ofRice).toContainText('Closing count of Rice, loose: 17');
  await page.keyboard.press('Escape');
  await expect(ofRice).toBeHidden();
  await expect(page).not.toHaveURL(/item=/);
});
