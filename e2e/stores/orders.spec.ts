// From order to receipt, by the users of a store, of head office and of the kitchen.

import type { Api } from '../support/test.ts';
import { expect, test } from '../support/test.ts';

interface Made {
  id: string;
}

async function house(api: Api) {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const store = await make('/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  const kitchen = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const tray = await make('/api/lists/uoms', { name: 'Tray', code: 'tray' });
  const products: Made[] = [];
  for (const name of ['Adobo flakes', 'Buns', 'Cheese', 'Dinuguan']) {
    products.push(
      await make('/api/products', {
        name,
        sku: name.slice(0, 3).toUpperCase(),
        baseUom: piece.id,
        defaultSellingUom: tray.id,
        conversions: [{ fromUomId: tray.id, toUomId: piece.id, factor: 10 }],
        otherUoms: [{ uomId: tray.id, whole: true }],
      }),
    );
  }
  for (const { id } of products) {
    await api.call('POST', `/api/products/${id}/adjust`, {
      quantity: 200,
      placeKind: 'commissary',
      placeId: kitchen.id,
    });
  }
  return { store, kitchen, products };
}

test('a store orders by keyboard, the kitchen sends, the store receives', async ({ signedIn: page, api, complaints }) => {
  const { products } = await house(api);

  await test.step('the store orders', async () => {
    await page.goto('/stores/orders');
    await expect(page.getByText('No orders yet')).toBeVisible();
    await page.getByRole('button', { name: 'New order' }).click();
    await expect(page.getByRole('heading', { name: 'New order' })).toBeVisible();
    await page.getByRole('button', { name: 'Start order' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^SO-/ })).toBeVisible();
    await page.getByRole('button', { name: 'Submit order' }).click();
    await expect(page.getByRole('alert')).toHaveText('Add at least one item.');

    const cell = (name: string) => page.getByLabel(`Order, ${name}`);
    await cell('Adobo flakes').click();
    await page.keyboard.type('1.5');
    await page.keyboard.press('Enter');
    await expect(cell('Buns')).toBeFocused();
    await expect(cell('Adobo flakes')).toHaveAttribute('aria-invalid', 'true');
    await page.keyboard.type('2*2');
    await page.keyboard.press('ArrowDown');
    await expect(cell('Buns')).toHaveValue('4');
    await page.keyboard.type('9');
    await page.keyboard.press('Escape');
    await expect(cell('Cheese')).toHaveValue('');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect(cell('Adobo flakes')).toBeFocused();
    await page.keyboard.type('3');
    await page.keyboard.press('Control+z');
    await expect(cell('Adobo flakes')).toHaveValue('1.5');
    await page.keyboard.press('Control+y');
    await expect(cell('Adobo flakes')).toHaveValue('3');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Order saved')).toBeVisible();
    await page.reload();
    await expect(cell('Buns')).toHaveValue('4');
    await page.getByLabel('Notes').fill('By the back door');
    await page.getByRole('button', { name: 'Submit order' }).click();
    await expect(page.getByText('waiting for approval')).toBeVisible();
    await expect(page.getByText('By the back door')).toBeVisible();
  });

  await test.step('head office approves, with a reason for granting less', async () => {
    await page.getByLabel('Approved, Buns').fill('2');
    await page.getByRole('button', { name: 'Approve order' }).click();
    await expect(page.getByText('Say why this differs from what was ordered.').first()).toBeVisible();
    await page.getByLabel('Reason, Buns').fill('Oven is down');
    await page.getByRole('button', { name: 'Approve order' }).click();
    await expect(page.getByText('waiting for the kitchen')).toBeVisible();
    await expect(page.getByText('Oven is down')).toBeVisible();
  });

  await test.step('the kitchen picks, packs and sends', async () => {
    await page.goto('/commissary/delivery');
    await page.getByRole('button', { name: 'Make delivery' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^DL-/ })).toBeVisible();
    await page.getByRole('button', { name: 'Start picking' }).click();
    await page.getByRole('button', { name: 'All 2 lines picked as ordered' }).click();
    await page.getByLabel('Driver').fill('Rico');
    await page.getByLabel('Lot, Buns').fill('L7');
    await page.getByRole('button', { name: 'Pack' }).click();
    await page.getByRole('button', { name: 'Dispatch' }).click();
    await expect(page.getByText('on its way', { exact: true })).toBeVisible();
    await page.goto('/commissary/delivery');
    await expect(page.getByText('No order waits to be sent')).toBeVisible();
  });

  await test.step('the store receives it on a phone, one tray short', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/stores/receive');
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^GR-/ })).toBeVisible();
    await expect(page.getByText('Everything is as expected')).toBeVisible();
    await page.getByRole('button', { name: 'One less, Received, Adobo flakes' }).click();
    await page.getByRole('button', { name: 'Post receipt' }).click();
    await expect(page.getByText('Choose a reason for every difference.').first()).toBeVisible();
    await page.getByLabel('Reason, Adobo flakes').selectOption('short');
    await page.getByLabel('What becomes of it, Adobo flakes').selectOption('credit');
    await page.getByRole('button', { name: 'Post receipt' }).click();
    await expect(page.getByText('Posted', { exact: true }).first()).toBeVisible();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('ledger, delivery and order agree', async () => {
    const { items } = await api.call<{ items: { status: string; id: string }[] }>('GET', '/api/stores/orders');
    expect(items.map(({ status }) => status)).toEqual(['received']);
    const stock = await api.call<{ places: { placeKind: string; qty: number }[] }>(
      'GET',
      `/api/products/${products[0]?.id}/stock`,
    );
    const at = Object.fromEntries(stock.places.map(({ placeKind, qty }) => [placeKind, qty]));
    expect(at).toEqual({ commissary: 170 });
    // The store never counted: only what came is known.
    const came = await api.call<{ items: { qty: number }[] }>(
      'GET',
      `/api/products/${products[0]?.id}/movements?placeKind=store`,
    );
    expect(came.items.map(({ qty }) => qty)).toEqual([20]);
  });
  // The expected refusals.
  expect(complaints.splice(0).filter((said) => !said.includes('422'))).toEqual([]);
});
