// Store figures: ranking, comparison with the median, a scatter chart of two measures; unknown figures are named.

import { postSales } from '../support/sales.ts';
import { expect, test } from '../support/test.ts';

const RANGE = 'from=2026-10-12&to=2026-10-18';
const STORES = ['Quiapo', 'Ermita', 'Binondo', 'Tondo'];

test('stores are ranked by sales per square metre', async ({ signedIn: page, api }) => {
  const make = (path: string, body: object) => api.call('POST', path, body);
  await make('/api/lists/pos-items', { description: 'Rice bowl' });
  const file = ['Date,Store,Register,Receipt,Item,Quantity,Price'];
  for (const [at, name] of STORES.entries()) {
    const size = at < 3 ? { storeAreaM2: 100, diningCapacityPax: 20 } : {};
    await make('/api/stores/locations', { name, code: `S${at}`, ...size });
    file.push(`2026-10-12,${name},T1,1,Rice bowl,${(at + 1) * 10},100.00`);
  }
  await postSales(page, api, 'bowls.csv', file);

  await page.goto('/reports/performance');
  await expect(page.getByRole('link', { name: /^Average ticket/ })).toBeVisible();
  await page.goto(`/reports/store-scorecard?${RANGE}`);
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await test.step('each figure shows its side of the median', async () => {
    await expect(row('Binondo')).toContainText('30.00▲');
    await expect(row('Quiapo')).toContainText('10.00▼');
    await expect(page.getByText('No floor area for Tondo.')).toBeVisible();
  });
  await test.step('two chosen measures are plotted against each other, and the URL keeps them', async () => {
    await expect(page.getByRole('img', { name: 'Average ticket by net sales a m²' })).toBeVisible();
    await page.getByLabel('Across').selectOption('Net sales a seat');
    await expect(page.getByRole('img', { name: 'Average ticket by net sales a seat' })).toBeVisible();
    await expect(page).toHaveURL(/x=perSeat/);
  });
  await test.step('a format without stores says so, and links to its stores', async () => {
    await page.getByRole('group', { name: 'Rows' }).getByRole('button', { name: 'Formats' }).click();
    await row('No format').getByText('10,000.00').click();
    await expect(row('Tondo')).toBeVisible();
  });
});
