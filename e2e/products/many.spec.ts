// Products as lists: several edited at once, merged, and taken back from their history.

import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../support/test.ts';

interface Made {
  id: string;
  revision: number;
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function choose(page: Page, scope: Locator, field: string, option: string): Promise<void> {
  await scope.getByRole('combobox', { name: field, exact: true }).fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('several products are edited at once, merged, and taken back', async ({ signedIn: page, api, complaints }) => {
  test.slow();
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const pc = await make('/api/lists/uoms', { name: 'Piece', code: 'PC' });
  const level = await make('/api/lists/price-levels', { name: 'Standard' });
  const frozen = await make('/api/lists/categories', { name: 'Frozen' });
  await make('/api/lists/commissaries', { name: 'Pasig commissary', isDefault: true });
  const product = (name: string, body: object = {}) =>
    make('/api/products', { name, type: 'Inventory', baseUom: pc.id, ...body });
  const read = (id: string) => api.call<Record<string, unknown>>('GET', `/api/products/${id}`);

  await test.step('chosen fields are set in all; what stays says why; undo takes it back', async () => {
    const made = [await product('Ube jam'), await product('Ube halaya'), await product('Ube ice cream')];
    await page.goto('/products?q=ube');
    await page.getByLabel('Select all rows').check();
    await page.getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 3 products' });
    await dialog.getByRole('combobox', { name: 'Field to set' }).fill('SKU');
    await expect(page.getByRole('listbox', { name: 'Field to set' }).getByText('Nothing matches'), 'a SKU names one product').toBeVisible();
    await choose(page, dialog, 'Field to set', 'Category');
    await choose(page, dialog, 'Category', 'Frozen');
    await choose(page, dialog, 'Field to set', 'Shelf life');
    await dialog.getByRole('textbox', { name: 'Shelf life' }).fill('90');
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    // Another user changes one of them first.
    const other = made[2] as Made;
    await api.call('PATCH', `/api/products/${other.id}`, { description: 'By her', revision: other.revision });
    await dialog.getByRole('button', { name: 'Change 3 products' }).click();
    const stayed = page.getByRole('dialog', { name: 'Products that stayed' });
    await expect(stayed.getByText('2 changed, 1 stayed as it was.')).toBeVisible();
    await expect(stayed.getByText('Ube ice cream', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await stayed.getByRole('button', { name: 'Done' }).click();
    await expect(rowOf(page, 'Ube jam')).toContainText('Frozen');
    const lives = () => Promise.all(made.map(async ({ id }) => (await read(id)).shelfLife ?? null));
    expect(await lives()).toEqual([90, 90, null]);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(lives).toEqual([null, null, null]);
  });

  await test.step('a saved form and a created product can be taken back by Ctrl+Z', async () => {
    const { id } = await product('Puto mix', { category: frozen.id });
    await page.goto('/products?q=puto');
    await page.getByRole('button', { name: 'Actions for Puto mix' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit product' });
    await drawer.getByLabel('Description').fill('For the oven');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('Product updated', { exact: true }).last()).toBeVisible();
    await expect(drawer).toHaveCount(0);
    expect((await read(id)).description).toBe('For the oven');
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await read(id)).description ?? null).toBeNull();
  });

  await test.step('a version of the history is restored, from the menu of the row', async () => {
    const { id, revision } = await product('Bibingka mix', { shelfLife: 30 });
    await api.call('PATCH', `/api/products/${id}`, { shelfLife: 3, revision });
    await page.goto('/products?q=bibingka');
    await page.getByRole('button', { name: 'Actions for Bibingka mix' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await expect(page).toHaveURL(/tab=history/);
    await page.getByRole('button', { name: 'Restore this version' }).click();
    const dialog = page.getByRole('dialog', { name: /^Restore the version/ });
    await expect(dialog.getByText('30', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await expect(dialog).toBeHidden();
    expect((await read(id)).shelfLife).toBe(30);
  });

  await test.step('two products are merged; what moves and what stays is said before', async () => {
    const stays = await product('Adobo base', { sku: 'AB-1' });
    const goes = await product('Adobo base (old)', {
      sku: 'AB-0',
      shelfLife: 45,
      priceLevelPrices: [{ priceLevelId: level.id, price: 1234.5 }],
    });
    const recipe = await make('/api/lists/recipes', { name: 'Adobo for fifty', productId: goes.id });
    await api.call('POST', `/api/products/${goes.id}/adjust`, { quantity: 12 });
    await page.goto('/products?q=adobo');
    await page.getByLabel('Select Adobo base', { exact: true }).check();
    await page.getByLabel('Select Adobo base (old)', { exact: true }).check();
    await page.getByRole('button', { name: 'Merge…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge products' });
    await expect(dialog.getByText('1 Recipes')).toBeVisible();
    await expect(dialog.getByRole('heading', { name: 'What stays as it is' })).toBeVisible();
    await expect(dialog.getByText('1 stock movements')).toBeVisible();
    await expect(dialog.getByText('Stock, lots and barcodes move over too.')).toBeVisible();
    await expect(dialog.getByRole('radio', { name: 'Standard · 1,234.5' }), 'what the one that stays lacks').toBeChecked();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Merge products' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowOf(page, 'Adobo base (old)')).toHaveCount(0);
    const now = await read(stays.id);
    expect(now).toMatchObject({ sku: 'AB-1', shelfLife: 45, quantity: 12 });
    expect(now.priceLevelPrices).toMatchObject([{ priceLevelId: level.id, price: 1234.5 }]);
    expect(await api.call('GET', `/api/lists/recipes/${recipe.id}`)).toMatchObject({ productId: stays.id });
    expect((await read(goes.id)).inactive, 'its movements keep it').toBe(true);
  });
  expect(complaints.splice(0)).toEqual([]);
});
