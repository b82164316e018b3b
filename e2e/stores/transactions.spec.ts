// A store's transactions: found and opened, and the running stock of an item.

import { addDays, today } from '../../web/src/ui/dates.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

interface Made {
  id: string;
  revision: number;
}

const start = today();
const longAgo = addDays(start, -40);

test('the ledger leads to documents and to the running stock of an item', async ({ signedIn: page, api, complaints }) => {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const store = await make('/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  const other = await make('/api/stores/locations', { name: 'Makati', code: 'MKT' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const kitchen = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const root = await make('/api/lists/root-items', { name: 'Bun (pc)' });
  await make('/api/lists/store-inventory-items', { name: 'Buns', rootItemId: root.id, uomId: piece.id });
  const buns = await make('/api/products', {
    name: 'Buns, bag',
    sku: 'BUN',
    baseUom: piece.id,
    defaultSellingUom: piece.id,
    rootItemConversions: [{ rootItemId: root.id, factor: 1 }],
  });
  await api.call('POST', `/api/products/${buns.id}/adjust`, {
    quantity: 100,
    placeKind: 'commissary',
    placeId: kitchen.id,
  });
  const lines = [{ productId: buns.id, uomId: piece.id, qty: 6 }];
  const neededDate = new Date(Date.now() + 56 * 3_600_000).toISOString().slice(0, 10);
  await make('/api/stores/orders', {
    storeId: store.id,
    sourceType: 'commissary',
    sourceId: kitchen.id,
    neededDate,
    lines,
  });
  await make('/api/stores/transfers', { fromStoreId: store.id, toStoreId: other.id, lines });
  await make('/api/stores/waste', {
    storeId: store.id,
    businessDate: start,
    lines: [{ ...lines[0], qty: 1, reason: 'expired' }],
  });

  await page.goto(`/stores/transactions?store=${store.id}`);
  await expect(page.getByRole('heading', { name: 'Store Transactions', level: 1 })).toBeVisible();
  const table = page.getByRole('table', { name: 'Store Transactions' });
  await test.step('it has all transactions', async () => {
    await expect(table).toContainText('Order');
    await expect(table).toContainText('Waste');
    await expect(table).toContainText('to Makati');
    await expect(table).toContainText('Pasig kitchen');
    await expectAccessible(page);
  });
  await test.step('by type, and completed ones', async () => {
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Transfer' }).click();
    await expect(table).not.toContainText('Pasig kitchen');
    await expect(page).toHaveURL(/kind=transfer/);
    await page.getByRole('group', { name: 'Stage' }).getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText(/No entries match|Nothing matches/).first()).toBeVisible();
    await page.getByRole('group', { name: 'Stage' }).getByRole('button', { name: 'All' }).click();
  });
  await test.step('a row leads to its document', async () => {
    await table.getByRole('link', { name: /^ST-|^TR-|-\d{6}$/ }).first().click();
    await expect(page).toHaveURL(/\/stores\/transactions\/transfers\//);
    await page.goBack();
  });
  await test.step('the file has the filtered rows', async () => {
    const file = await page.request.get(
      `/api/stores/transactions/export?storeId=${store.id}&kinds=transfer&format=csv`,
    );
    expect((await file.text()).trim().split('\n')).toHaveLength(2);
  });
  await test.step('transfers and waste are a tab away', async () => {
    const tabs = page.getByRole('navigation', { name: 'Store transactions' });
    await tabs.getByRole('link', { name: 'Waste' }).click();
    await expect(page.getByRole('button', { name: 'New waste report' })).toBeVisible();
    await tabs.getByRole('link', { name: 'Running stock' }).click();
  });
  await test.step('the running stock of a root item', async () => {
    await page.getByRole('combobox', { name: 'Counted item', exact: true }).click();
    await page.getByRole('option', { name: /Buns/ }).click();
    await expect(page.getByRole('region', { name: 'Running stock' })).toContainText('On hand');
    await expect(page).toHaveURL(/item=/);
  });
  await test.step('waste of a day too far back is refused at its day, and accepted with a reason', async () => {
    const waste = await make('/api/stores/waste', {
      storeId: store.id,
      businessDate: longAgo,
      lines: [{ ...lines[0], qty: 1, reason: 'expired' }],
    });
    await page.goto(`/stores/transactions/waste/${waste.id}`);
    await page.getByRole('button', { name: 'Submit waste' }).click();
    const dialog = page.getByRole('dialog', { name: 'Submit waste' });
    await expect(dialog.getByRole('alert')).toHaveText(/^Days before .* need a reason/);
    await expect(page.getByLabel('Date', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    const post = dialog.getByRole('button', { name: 'Do it all the same' });
    await expect(post).toBeDisabled();
    await expectAccessible(page);
    await dialog.getByLabel('Reason').fill('Found at the stock take');
    await post.click();
    await expect(dialog).toHaveCount(0);
    const { status } = await api.call<{ status: string }>('GET', `/api/stores/waste/${waste.id}`);
    expect(status).not.toBe('draft');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('422')]);
  });
});
