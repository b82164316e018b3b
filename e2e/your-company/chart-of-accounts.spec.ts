// The chart of accounts: totals by section and type, used accounts keep their type.

import { expect, expectAccessible, test } from '../support/test.ts';
import { drawerOf, row } from '../lists/steps.ts';

interface Account {
  id: string;
  revision: number;
  active: boolean;
  parentId?: string;
}

const path = '/api/your-company/chart-of-accounts';

test('the chart adds up, nests, keeps types and makes inactive', async ({ signedIn: page, api }) => {
  const make = (number: string, name: string, type: string, openingBalance: number, more = {}) =>
    api.call<Account>('POST', path, { number, name, type, openingBalance, ...more });
  const cash = await make('1000', 'Cash', 'Bank', 100.1);
  const till = await make('1010', 'Till', 'Bank', 0.2, { parentId: cash.id });
  const stock = await make('1300', 'Inventory asset', 'Other current assets', 50);
  await make('6000', 'Rent', 'Expenses', 10);
  await api.call('POST', '/api/products', { name: 'Rice', type: 'Non-inventory', inventoryAssetAccountId: stock.id });

  await page.goto('/your-company/chart-of-accounts');
  await expect(page.getByText('4 accounts')).toBeVisible();
  await expect(row(page, 'Assets')).toContainText('150.30');
  await expect(row(page, 'Cash')).toContainText('100.30');
  await expect(row(page, 'Till')).toContainText('0.20');
  await expect(page.getByLabel('Select Cash', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Select Assets'), 'a heading is no record').toHaveCount(0);

  // Out of its parent by keyboard, and back.
  await row(page, 'Till').focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(async () => (await api.call<Account>('GET', `${path}/${till.id}`)).parentId ?? null).toBeNull();
  await expect(row(page, 'Till')).toBeFocused();
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(async () => (await api.call<Account>('GET', `${path}/${till.id}`)).parentId).toBe(cash.id);

  // A user faster than the responses gets all of them, one after the other.
  await page.route(`**${path}/${till.id}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  const before = (await api.call<Account>('GET', `${path}/${till.id}`)).revision;
  for (const sum of ['100.10', '100.30', '100.10', '100.30']) {
    await page.keyboard.press(sum === '100.10' ? 'Alt+ArrowLeft' : 'Alt+ArrowRight');
    await expect(row(page, 'Cash')).toContainText(sum);
  }
  await expect.poll(async () => (await api.call<Account>('GET', `${path}/${till.id}`)).revision).toBe(before + 4);
  expect((await api.call<Account>('GET', `${path}/${till.id}`)).parentId).toBe(cash.id);
  await expect(row(page, 'Till')).toBeFocused();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(row(page, 'Cash')).toContainText('100.10');
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await api.call<Account>('GET', `${path}/${till.id}`)).revision).toBe(before + 6);
  expect((await api.call<Account>('GET', `${path}/${till.id}`)).parentId).toBe(cash.id);
  await page.unroute(`**${path}/${till.id}`);

  // The type of a used account is fixed, with the reason; detail types follow the type.
  await row(page, 'Inventory asset').getByText('Inventory asset').first().click();
  const drawer = drawerOf(page);
  await expect(drawer.getByText(/Fixed, because it is used: 1 products/i)).toBeVisible();
  await drawer.getByRole('combobox', { name: 'Detail type' }).or(drawer.getByLabel('Detail type')).first().click();
  await expect(page.getByRole('option', { name: 'Prepaid expenses' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Savings' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await page.getByLabel('Actions for Rent').click();
  await page.getByRole('menuitem', { name: 'Make inactive' }).click();
  await expect(row(page, 'Rent')).toHaveCount(0);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(row(page, 'Rent')).toBeVisible();
  await expect(page).toHaveURL(/show=all/);
  await expectAccessible(page);
});
