// Sales Mix By Category, Daily: from a share down to the day's lines.

import { postSales } from '../support/sales.ts';
import { expect, test } from '../support/test.ts';

const FILE = [
  'Date,Store,Item,Quantity,Price',
  '2026-10-05,Quiapo,Rice bowl,40,100.00',
  '2026-10-12,Quiapo,Rice bowl,60,100.00',
  '2026-10-12,Quiapo,Iced tea,40,50.00',
];
const WEEK = '/reports/smbcd?from=2026-10-12&to=2026-10-18';

test('a category drills down to its items, an item to the lines of its day', async ({ signedIn: page, api }) => {
  for (const [description, category] of [
    ['Rice bowl', 'Meals'],
    ['Iced tea', 'Drinks'],
  ]) {
    await api.call('POST', '/api/lists/pos-items', { description, category });
  }
  await api.call('POST', '/api/stores/locations', { name: 'Quiapo', code: 'QPO' });
  await postSales(page, api, 'mix.csv', FILE);

  await page.goto(WEEK);
  await expect(page.getByRole('heading', { name: 'Sales Mix By Category, Daily', level: 1 })).toBeVisible();
  const table = page.getByRole('grid', { name: /by category and day/ });
  const row = (name: string) => table.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  const measure = (name: string) =>
    page.getByRole('group', { name: 'Measure' }).getByRole('button', { name });
  await test.step('each measure has its figures and its totals', async () => {
    await expect(row('Meals')).toContainText('6,000.00');
    await expect(row('Total')).toContainText('8,000.00');
    await measure('Mix').click();
    await expect(row('Meals')).toContainText('75.0%');
    await measure('Change').click();
    await expect(row('Meals')).toContainText('+50.0%');
    await expect(row('Total')).toContainText('+100.0%');
    await measure('Quantity').click();
    await expect(row('Drinks')).toContainText('40');
  });
  await test.step('the file has the rows shown', async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    const href = await page.getByRole('menuitem', { name: 'Download CSV' }).getAttribute('href');
    const file = await page.request.get(href ?? '');
    expect(await file.text()).toContain('Drinks,40,0,');
    await page.keyboard.press('Escape');
  });
  await test.step('a figure drills down to the day', async () => {
    await row('Drinks').getByText('40', { exact: true }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Drinks' });
    await drawer.getByRole('link', { name: 'Iced tea' }).click();
    await expect(page.getByRole('dialog', { name: 'Iced tea' })).toContainText('Quiapo');
    await page.getByRole('dialog').getByRole('link', { name: '12 Oct 2026' }).click();
    await expect(page).toHaveURL(/\/tools\/import-sales-product\/.*2026/);
  });
});
