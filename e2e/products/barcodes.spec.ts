// Barcodes: entered with a product, and scanned in the search, in orders, picking, receiving and stock-takes.

import type { Page } from '@playwright/test';
import { scan } from '../support/scanner.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

interface Made {
  id: string;
  revision: number;
}

const PIECE = '4800012345678';
const TRAY = '14800012345675';
const UNKNOWN = '5012345678900';

/** A store and a kitchen with three products in pieces and trays of ten; `Buns` has a barcode for each. */
async function house(api: Api) {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const store = await make('/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  const kitchen = await make('/api/lists/commissaries', { name: 'Pasig kitchen', isDefault: true });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const tray = await make('/api/lists/uoms', { name: 'Tray', code: 'tray' });
  const products: Record<string, Made> = {};
  for (const name of ['Adobo flakes', 'Buns', 'Cheese']) {
    const made = await make('/api/products', {
      name,
      sku: name.slice(0, 3).toUpperCase(),
      baseUom: piece.id,
      defaultSellingUom: tray.id,
      conversions: [{ fromUomId: tray.id, toUomId: piece.id, factor: 10 }],
      otherUoms: [{ uomId: tray.id, whole: true }],
      barcodes:
        name === 'Buns'
          ? [
              { code: PIECE, uomId: piece.id },
              { code: TRAY, uomId: tray.id },
            ]
          : [],
    });
    products[name] = made;
    const stock = { quantity: 200, placeKind: 'commissary', placeId: kitchen.id };
    await api.call('POST', `/api/products/${made.id}/adjust`, stock);
  }
  return { store, kitchen, piece, tray, products };
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** The notice about an unknown code; closes it. */
async function unknown(page: Page, code: string): Promise<void> {
  const notice = page.getByRole('alert').filter({ hasText: `Nothing here has the code ${code}.` });
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect(notice).toHaveCount(0);
}

test('codes are scanned into a product, and find it wherever it is handled', async ({ signedIn: page, api, complaints }) => {
  test.slow();
  const { products, kitchen } = await house(api);

  await test.step('a scanner fills line after line; a taken code is refused at its field', async () => {
    await page.goto(`/products/${products.Cheese?.id}?open=${products.Cheese?.id}`);
    const drawer = page.getByRole('dialog', { name: 'Edit product' });
    await drawer.getByRole('button', { name: 'Add barcode' }).click();
    await expect(drawer.getByLabel('Barcode, line 1', { exact: true })).toBeFocused();
    await scan(page, '036000291452');
    await expect(drawer.getByLabel('Barcode, line 2', { exact: true })).toBeFocused();
    await expect(drawer.getByLabel('Unit of the barcode, line 1')).toHaveValue('Piece · pc');
    await scan(page, PIECE);
    await expect(drawer.getByLabel('Barcode, line 3', { exact: true })).toBeFocused();
    await drawer.getByLabel('Unit of the barcode, line 2').click();
    await page.getByRole('option', { name: 'Tray · tray', exact: true }).click();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Control+Enter');
    const taken = `«Buns» has the barcode ${PIECE} already. Remove it there first.`;
    await expect(drawer.getByText(taken)).toBeVisible();
    await expect(drawer.getByLabel('Barcode, line 2', { exact: true })).toHaveValue(PIECE);
    await drawer.getByRole('button', { name: 'Remove barcode 2' }).click();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('Product updated', { exact: true }).last()).toBeVisible();
    await page.goto(`/products/${products.Cheese?.id}?tab=units`);
    await expect(rowOf(page, 'pc').filter({ hasText: '036000291452' })).toBeVisible();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
  });

  await test.step('a code scanned in the search opens its product', async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
    await scan(page, TRAY);
    await expect(page.getByRole('heading', { level: 1, name: 'Buns' })).toBeVisible();
  });

  await test.step('a code scanned on the list of products opens its product; another one filters', async () => {
    await page.goto('/products');
    await expect(rowOf(page, 'Adobo flakes')).toBeVisible();
    await scan(page, UNKNOWN);
    await expect(page.getByText(`No products match “${UNKNOWN}”`)).toBeVisible();
    await scan(page, PIECE);
    await expect(page.getByRole('heading', { level: 1, name: 'Buns' })).toBeVisible();
  });

  await test.step('an order: to the line, in the unit of the code; what was typed elsewhere stays', async () => {
    await page.goto('/stores/orders');
    await page.getByRole('button', { name: 'New order' }).click();
    await page.getByRole('button', { name: 'Start order' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^SO-/ })).toBeVisible();
    const cell = (name: string) => page.getByLabel(`Order, ${name}`);
    await cell('Cheese').fill('2');
    await scan(page, PIECE);
    await expect(cell('Buns')).toBeFocused();
    await expect(cell('Cheese'), 'the scanner typed into it').toHaveValue('2');
    await expect(page.getByLabel('Unit, Buns').locator('option:checked')).toHaveText('pc');
    await cell('Buns').fill('30');
    await scan(page, TRAY);
    await expect(cell('Buns'), 'what is ordered keeps its unit').toHaveValue('30');
    await expect(page.getByLabel('Unit, Buns').locator('option:checked')).toHaveText('pc');
    await scan(page, UNKNOWN);
    await unknown(page, UNKNOWN);
    await scan(page, `${UNKNOWN}1`);
    await page.getByRole('button', { name: 'Find it by name' }).click();
    await expect(page.getByLabel('Find or scan an item')).toBeFocused();
    await page.getByRole('button', { name: 'Submit order' }).click();
    await page.getByRole('button', { name: 'Approve order' }).click();
    await expect(page.getByText('waiting for the kitchen')).toBeVisible();
  });

  await test.step('picking: in the grid to the cell, on the phone a scan picks', async () => {
    await page.goto('/commissary/delivery');
    await page.getByRole('button', { name: 'Make delivery' }).click();
    await page.getByRole('button', { name: 'Start picking' }).click();
    await expect(page.getByLabel('Picked, Buns')).toBeVisible();
    await scan(page, PIECE);
    await expect(page.getByLabel('Picked, Buns')).toBeFocused();
    await scan(page, UNKNOWN);
    await unknown(page, UNKNOWN);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByText('0 of 2 picked')).toBeVisible();
    await scan(page, PIECE);
    await expect(page.getByText('1 of 2 picked')).toBeVisible();
    await scan(page, '036000291452');
    await expect(page.getByText('Everything is picked')).toBeVisible();
    await page.getByRole('button', { name: 'Pack' }).click();
    await page.getByRole('button', { name: 'Dispatch' }).click();
    await expect(page.getByText('on its way', { exact: true })).toBeVisible();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('receiving: to what came; an unknown code leads to adding it', async () => {
    await page.goto('/stores/receive');
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await expect(page.getByText('Everything is as expected')).toBeVisible();
    await scan(page, TRAY);
    await expect(page.getByLabel('Received, Buns')).toBeFocused();
    await page.getByLabel('Received, Cheese').focus();
    await scan(page, PIECE);
    await expect(page.getByLabel('Received, Buns')).toBeFocused();
    await expect(page.getByText('Everything is as expected'), 'nothing of the code is kept').toBeVisible();
    await scan(page, UNKNOWN);
    await page.getByRole('button', { name: 'Find it by name' }).click();
    await expect(page.getByRole('combobox', { name: 'Add an item' })).toBeFocused();
  });

  await test.step('a stock-take: to its line', async () => {
    const take = await api.call<Made>('POST', '/api/commissary/stock-takes', {
      placeKind: 'commissary',
      placeId: kitchen.id,
    });
    await page.goto(`/commissary/stock-takes/${take.id}`);
    await page.getByRole('button', { name: 'Start counting' }).click();
    await expect(page.getByLabel('Counted, Buns').first()).toBeVisible();
    await scan(page, PIECE);
    await expect(page.getByLabel('Counted, Buns').first()).toBeFocused();
    await page.getByLabel('Counted, Buns').first().fill('12');
    await scan(page, '036000291452');
    await expect(page.getByLabel('Counted, Cheese').first()).toBeFocused();
    await expect(page.getByLabel('Counted, Buns').first()).toHaveValue('12');
    await scan(page, UNKNOWN);
    await page.getByRole('button', { name: 'Find and add it' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
  expect(complaints.splice(0)).toEqual([]);
});
