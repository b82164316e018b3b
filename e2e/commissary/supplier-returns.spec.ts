// Goods that go back to a supplier: what a receipt refused, what a kitchen has, and how the supplier settles it.

import type { Api } from '../support/test.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

interface Made {
  id: string;
  revision: number;
  receiptNo: string;
}

/** A store that refused two of six trays from a supplier, and a kitchen with buns in stock. */
async function house(api: Api) {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const kitchen = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const store = await make('/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  const supplier = await make('/api/lists/suppliers', { name: 'Divisoria Dry Goods' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const tray = await make('/api/lists/uoms', { name: 'Tray', code: 'tray' });
  const buns = await make('/api/products', {
    name: 'Buns',
    sku: 'BUN',
    baseUom: piece.id,
    defaultSellingUom: tray.id,
    conversions: [{ fromUomId: tray.id, toUomId: piece.id, factor: 10 }],
    otherUoms: [{ uomId: tray.id, whole: true }],
  });
  await api.call('POST', `/api/products/${buns.id}/adjust`, {
    quantity: 50,
    placeKind: 'commissary',
    placeId: kitchen.id,
  });
  const receipt = await make('/api/stores/receive', {
    storeId: store.id,
    sourceType: 'supplier',
    sourceId: supplier.id,
    lines: [
      {
        productId: buns.id,
        uomId: tray.id,
        expected: 6,
        received: 6,
        rejected: 2,
        reason: 'damaged',
        resolution: 'credit',
        lot: 'B-7',
      },
    ],
  });
  return api.call<Made>('POST', `/api/stores/receive/${receipt.id}/post`, { revision: receipt.revision });
}

test('a store sends back what it refused, a kitchen no more than it has', async ({ signedIn: page, api, complaints }) => {
  const receipt = await house(api);

  await test.step('the receipt begins the return', async () => {
    await page.goto(`/stores/receive/${receipt.id}`);
    await page.getByRole('region', { name: 'Sent back' }).getByRole('button', { name: 'Send back' }).click();
    await expect(page).toHaveURL(/\/commissary\/supplier-returns\/\w+/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^SR-\d{4}-\d{6}$/);
    await expect(page.getByText('Divisoria Dry Goods')).toBeVisible();
    await expect(page.getByText('Refused', { exact: true })).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('it is sent', async () => {
    await page.getByRole('button', { name: 'Send to supplier' }).click();
    await expect(page.getByText('waiting for the supplier')).toBeVisible();
  });
  await test.step('the supplier credits it, by a memo', async () => {
    await page.getByRole('button', { name: 'Settle', exact: true }).click();
    await expect(page.getByText('Say how the supplier settled it.').first()).toBeVisible();
    await page.getByRole('combobox', { name: 'Settled by' }).click();
    await page.getByRole('option', { name: 'Credited' }).click();
    await page.getByLabel('Amount credited').fill('480');
    await page.getByLabel('Credit memo no.').fill('CM-88');
    await page.getByRole('button', { name: 'Settle', exact: true }).click();
    await expect(page.getByText('Settled', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('CM-88')).toBeVisible();
  });
  await test.step('the receipt shows it', async () => {
    await page.getByRole('link', { name: receipt.receiptNo }).click();
    const back = page.getByRole('region', { name: 'Sent back' });
    await expect(back.getByRole('link', { name: /^SR-/ })).toBeVisible();
    await expect(back).toContainText('Settled');
  });
  await test.step('so does the store’s book', async () => {
    await page.goto('/stores/transactions?kind=supplierReturn');
    await expect(page.getByRole('table', { name: 'Store Transactions' })).toContainText('Divisoria Dry Goods');
  });
  await test.step('the list is reached from Receive', async () => {
    await page.goto('/stores/receive');
    await page.getByRole('link', { name: 'Supplier returns' }).click();
    await expect(page.getByRole('heading', { name: 'Supplier returns', level: 1 })).toBeVisible();
  });
  await test.step('a place and a supplier begin it', async () => {
    await page.getByRole('button', { name: 'New supplier return' }).click();
    const dialog = page.getByRole('dialog', { name: 'New supplier return' });
    await dialog.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: 'Pasig kitchen' }).click();
    await dialog.getByRole('combobox', { name: 'Supplier' }).click();
    await page.getByRole('option', { name: 'Divisoria Dry Goods' }).click();
    await dialog.getByRole('button', { name: 'Start return' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^SR-/);
  });
  await test.step('what is not there is not sent', async () => {
    await page.getByRole('combobox', { name: 'Add an item' }).fill('Buns');
    await page.getByRole('option', { name: 'Buns' }).click();
    await page.getByLabel('Quantity', { exact: true }).first().fill('9');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByLabel('Reason, Buns')).toHaveValue('quality');
    await page.getByRole('button', { name: 'Send to supplier' }).click();
    await expect(page.getByText('Only 5 tray on hand.').first()).toBeVisible();
  });
  // Only the two expected refusals, which the browser logs.
  expect(complaints.splice(0).filter((said) => !/status of 4(09|22)/.test(said))).toEqual([]);
});
