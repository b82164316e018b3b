// The month summary and its reports: sales comparison, food cost and occupancy, with drill-down.

import { postSales } from '../support/sales.ts';
import { expect, test } from '../support/test.ts';

/** Mondays to Sundays of October 2026, and the week before each. */
const RANGE = 'from=2026-10-12&to=2026-10-18';
const FILE = ['Date,Store,Register,Receipt,Item,Quantity,Price'];
for (const [day, qty] of [
  ['2026-10-05', 40],
  ['2026-10-12', 60],
] as const) {
  FILE.push(`${day},Quiapo,T1,1,Rice bowl,${qty},100.00`, `${day},Ermita,,2,Rice bowl,${qty / 2},100.00`);
}

test('management sees growth, food cost and occupancy', async ({ signedIn: page, api }) => {
  const make = (path: string, body: object) => api.call<{ id: string }>('POST', path, body);
  const rice = await make('/api/lists/root-items', { name: 'Rice (kg)', price: 50 });
  const bom = [{ rootProductId: rice.id, multiplier: 0.5 }];
  await make('/api/lists/pos-items', { description: 'Rice bowl', bom });
  const quiapo = await make('/api/stores/locations', { name: 'Quiapo', code: 'QPO', storeAreaM2: 100 });
  await make('/api/stores/locations', { name: 'Ermita', code: 'ERM' });
  await make('/api/stores/leases', {
    storeId: quiapo.id,
    validFrom: '2026-01-01',
    terms: { fixed: 3100, percent: 10, mode: 'additive', breakpoints: [], addBacks: [] },
  });
  await postSales(page, api, 'bowls.csv', FILE);
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });

  await test.step('the tab has both months, says that labour is left out, and links to the reports', async () => {
    await page.goto('/reports/management');
    await expect(page.getByRole('region', { name: 'This month so far' })).toBeVisible();
    await expect(page.getByText('Labour cost is left out')).toBeVisible();
    await page.getByRole('link', { name: /^Sales against previous period/ }).click();
    await expect(page.getByRole('heading', { name: 'Sales against previous period', level: 1 })).toBeVisible();
  });
  await test.step('sales are compared with earlier ones, and a figure drills down to items and days', async () => {
    await page.goto(`/reports/sales-comparison?${RANGE}`);
    await expect(row('Quiapo')).toContainText('+50.0%');
    await expect(page.getByText('all ranges end there')).toBeVisible();
    await row('Quiapo').getByText('6,000.00').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Rice bowl' }).click();
    await expect(page.getByRole('dialog')).toContainText('₱6,000.00 net from 1 entry');
    await page.keyboard.press('Escape');
  });
  await test.step('the chart is exported as an image', async () => {
    await page.getByRole('button', { name: 'Chart as a picture' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download PNG' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^net-sales-by-day.*\.png$/);
  });
  await test.step('each till has its row, and sales without a till are named as such', async () => {
    await page.goto(`/reports/sales-terminal?${RANGE}`);
    await expect(row('Ermita · No till named')).toContainText('3,000.00');
    await row('Quiapo · Till T1').getByText('6,000.00').first().click();
    await page.getByRole('dialog').getByRole('link', { name: '12 Oct 2026' }).click();
    await expect(page).toHaveURL(/\/tools\/import-sales-product\/.*2026/);
  });
  await test.step('food cost drills down to root items, occupancy names stores without a lease', async () => {
    await page.goto(`/reports/food-cost?${RANGE}`);
    await row('Quiapo').getByText('1,500.00').click();
    await expect(row('Rice (kg)')).toContainText('1,500.00');
    await page.goto(`/reports/occupancy?${RANGE}`);
    await expect(page.getByText('No lease or rent for Ermita')).toBeVisible();
    await expect(row('Quiapo')).toContainText('Lease');
  });
});
