// Products: the list, the form with its units and prices, the stock, the page of one product.

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { browserOf, enter, makePerson, makeRole } from '../support/people.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

interface Made {
  id: string;
  revision: number;
}

interface Basics {
  pc: string;
  pack: string;
  box: string;
  standard: string;
  inventory: string;
  frozen: string;
  commissary: string;
}

let basics: Basics | undefined;

/** Records that products refer to; created once, since the file has one server. */
async function prepared(api: Api): Promise<Basics> {
  const make = async (path: string, body: object) => (await api.call<Made>('POST', path, body)).id;
  const list = (slug: string, body: object) => make(`/api/lists/${slug}`, body);
  const account = (number: string, name: string) =>
    make('/api/your-company/chart-of-accounts', { number, name, type: 'Other current assets' });
  basics ??= {
    pc: await list('uoms', { name: 'Piece', code: 'PC' }),
    pack: await list('uoms', { name: 'Pack', code: 'PACK' }),
    box: await list('uoms', { name: 'Case', code: 'CASE' }),
    standard: await list('price-levels', { name: 'Standard' }),
    inventory: await account('1300', 'Inventory asset'),
    frozen: await account('1310', 'Frozen inventory'),
    commissary: await list('commissaries', { name: 'Pasig commissary', isDefault: true }),
  };
  return basics;
}

const makeProduct = (api: Api, name: string, body: object = {}) =>
  // A stocked product needs a base unit.
  api.call<Made>('POST', '/api/products', { name, type: 'baseUom' in body ? 'Inventory' : 'Non-inventory', ...body });

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Chooses from a searchable list. */
async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const toast = (page: Page, words: string) => page.getByText(words, { exact: true }).last();

test('a product is created with its units and prices, found, filtered and opened', async ({ signedIn: page, api, complaints }) => {
  test.slow();
  await test.step('a product is created with its units and prices, changed, and found again', async () => {
    await prepared(api);
    await page.goto('/lists');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('link', { name: 'Add product/service' }).click();
    await expect(page).toHaveURL(/\/products\?open=new$/);
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByLabel('Name')).toBeFocused();
    await expectAccessible(page);

    await page.keyboard.press('Control+Enter');
    await expect(drawer.getByText('Enter a name.')).toBeVisible();
    await drawer.getByLabel('Name').fill('Adobo base');
    await drawer.getByLabel('SKU').fill('AB-1');
    await choose(page, drawer.getByLabel(/^Base unit( \*)?$/), 'Piece · PC');
    await choose(page, drawer.getByLabel('Selling unit', { exact: true }), 'Case · CASE');
    await expect(
      drawer.getByText('Say how this unit converts: add a conversion that leads to the base unit.'),
    ).toBeVisible();

    await drawer.getByRole('button', { name: 'Add conversion' }).click();
    await expect(drawer.getByLabel('One of, line 1')).toHaveValue('Case · CASE');
    await drawer.getByLabel('How many, line 1').fill('24');
    await expect(drawer.getByText('Say how this unit converts')).toHaveCount(0);
    await drawer.getByRole('button', { name: 'Add unit' }).click();
    await choose(page, drawer.getByLabel('Other unit, line 1', { exact: true }), 'Pack · PACK');
    await drawer.getByRole('button', { name: 'Add conversion' }).click();
    await drawer.getByLabel('How many, line 2').fill('6');
    await drawer.getByRole('button', { name: 'Add conversion' }).click();
    await choose(page, drawer.getByLabel('One of, line 3'), 'Case · CASE');
    await drawer.getByLabel('How many, line 3').fill('5');
    await choose(page, drawer.getByLabel('Of, line 3', { exact: true }), 'Pack · PACK');
    const wrong = 'By lines 1 and 2 this is 4; correct one of these lines.';
    await expect(drawer.getByText(wrong)).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await expect(drawer.getByLabel('How many, line 3')).toBeFocused();
    await drawer.getByLabel('How many, line 3').fill('4');
    await expect(drawer.getByText(wrong)).toHaveCount(0);

    await drawer.getByLabel('Quantity to convert').fill('12');
    await expect(drawer.getByText('12 CASE = 288 PC')).toBeVisible();
    await drawer.getByRole('button', { name: 'Swap units' }).click();
    await expect(drawer.getByText('12 PC = 0.5 CASE')).toBeVisible();

    await drawer.getByLabel('Standard').fill('1,234.50');
    await page.keyboard.press('Control+Enter');
    await expect(toast(page, 'Product created')).toBeVisible();
    await expect(drawer).toBeHidden();
    await expect(rowOf(page, 'Adobo base')).toContainText('1,234.50');

    await act(page, 'Adobo base', 'Edit');
    await expect(drawer.getByLabel('How many, line 1')).toHaveValue('24');
    await expect(drawer.getByRole('button', { name: 'Save product' })).toBeDisabled();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await drawer.getByLabel('Name').fill('Adobo sauce base');
    await page.keyboard.press('Control+Enter');
    await expect(toast(page, 'Product updated')).toBeVisible();
    await page.reload();
    await expect(rowOf(page, 'Adobo sauce base')).toBeVisible();

    await page.goto('/products?q=ab-1');
    await expect(rowOf(page, 'Adobo sauce base')).toBeVisible();
    await page.goto('/products?q=no-such-thing');
    await expect(page.getByText('No products match “no-such-thing”')).toBeVisible();
  });

  await test.step('server refusals are shown, and the input stays', async () => {
    await page.goto('/products?open=new');
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').fill('Never saved');
    await choose(page, drawer.getByLabel(/^Base unit( \*)?$/), 'Piece · PC');
    await page.route('**/api/products', (route) => route.abort());
    await page.keyboard.press('Control+Enter');
    await expect(toast(page, 'Failed to save product')).toBeVisible();
    await expect(
      drawer.getByText('Network error. Check your connection and try again.'),
    ).toBeVisible();
    await expect(drawer.getByLabel('Name')).toHaveValue('Never saved');
    await page.unroute('**/api/products');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    // The question and the form close one after the other.
    await expect(drawer).toHaveCount(0);
    expect(complaints.splice(0).every((text) => text.includes('ERR_FAILED'))).toBe(true);
  });

  await test.step('filters are in the URL, and the filtered rows are exported', async () => {
    const category = await api.call<Made>('POST', '/api/lists/categories', { name: 'Frozen goods' });
    await makeProduct(api, 'Ice drop', { category: category.id });
    await makeProduct(api, 'Ice bag', { type: 'Non-inventory' });
    await page.goto('/products?q=ice');
    await expect(rowOf(page, 'Ice bag')).toBeVisible();
    await choose(page, page.getByRole('combobox', { name: 'Category' }), 'Frozen goods');
    await expect(page).toHaveURL(new RegExp(`category=${category.id}`));
    await expect(rowOf(page, 'Ice bag')).toHaveCount(0);
    await page.reload();
    await expect(rowOf(page, 'Ice drop')).toBeVisible();
    await expect(page.getByText('1 product', { exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Export' }).click();
    const waiting = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download CSV' }).click();
    const text = await readFile(await (await waiting).path(), 'utf8');
    expect(text).toContain('Ice drop');
    expect(text).not.toContain('Ice bag');
  });

  await test.step('the keyboard walks the list', async () => {
    await makeProduct(api, 'Zzz first');
    await makeProduct(api, 'Zzz second');
    await page.goto('/products?q=zzz');
    await expect(rowOf(page, 'Zzz second')).toBeVisible();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect(page.getByText('1 selected')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Zzz second' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/q=zzz/);
    await expect(rowOf(page, 'Zzz second'), 'going back focuses the row').toBeFocused();
    await page.keyboard.press('e');
    await expect(page.getByRole('dialog', { name: 'Edit product' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(rowOf(page, 'Zzz second')).toBeFocused();
    await page.keyboard.press('n');
    await expect(page.getByRole('dialog', { name: 'New product' })).toBeVisible();
  });
});

test('a product is adjusted and given an account in the list', async ({ signedIn: page, api, complaints }) => {
  await test.step('a quantity is adjusted; invalid numbers are reported and not saved', async () => {
    const { pc } = await prepared(api);
    const { id } = await makeProduct(api, 'Leche flan', { baseUom: pc, reorderPoint: 50 });
    await page.goto('/products');
    await act(page, 'Leche flan', 'Adjust quantity');
    const prompt = page.getByRole('dialog', { name: 'Enter quantity', exact: true });
    await expect(prompt.getByLabel('Quantity', { exact: true })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.type('12abc');
    await page.keyboard.press('Enter');
    await expect(prompt.getByText('Enter a number, such as 12.5 or 12*3.')).toBeVisible();
    await expect(prompt.getByLabel('Quantity', { exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(prompt).toBeHidden();
    await expect(page.getByRole('button', { name: 'Actions for Leche flan' })).toBeFocused();
    expect((await api.call<{ total: number }>('GET', `/api/products/${id}/movements`)).total).toBe(0);

    await act(page, 'Leche flan', 'Adjust quantity');
    await prompt.getByLabel('Quantity', { exact: true }).fill('4*10');
    await expect(prompt.getByText('All places: 0 PC → 40 PC')).toBeVisible();
    await prompt.getByLabel('Reason').fill('Counted again');
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Product updated')).toBeVisible();
    await expect(rowOf(page, 'Leche flan')).toContainText('40PC');
    await expect(rowOf(page, 'Leche flan')).toContainText('Below reorder point');

    await page.goto(`/products/${id}?tab=movements`);
    await expect(rowOf(page, 'Counted again')).toContainText('+40');
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await expect(page).toHaveURL(/tab=stock/);
    await expect(rowOf(page, 'Pasig commissary')).toContainText('40');
  });

  await test.step('an account is changed in its cell, and reverted when the server fails', async () => {
    const { inventory } = await prepared(api);
    const { id } = await makeProduct(api, 'Ube jam', { inventoryAssetAccountId: inventory });
    await page.goto('/products?q=ube');
    const cell = page.getByRole('button', { name: /^Inventory account of Ube jam/ });
    await expect(cell).toHaveText('1300 Inventory asset');

    await cell.click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(cell).toBeFocused();

    let fail = () => {};
    const failing = new Promise<void>((done) => {
      fail = done;
    });
    await page.route(`**/api/products/${id}`, async (route) => {
      await failing;
      await route.abort();
    });
    await cell.click();
    await page.getByRole('option', { name: '1310 Frozen inventory' }).click();
    await expect(cell, 'seen before the server has answered').toHaveText('1310 Frozen inventory');
    fail();
    await expect(toast(page, 'Failed to update account')).toBeVisible();
    await expect(cell).toHaveText('1300 Inventory asset');
    await page.unroute(`**/api/products/${id}`);

    await page.keyboard.press('Enter');
    await page.keyboard.type('frozen');
    await page.keyboard.press('Enter');
    await expect(toast(page, 'Account updated')).toBeVisible();
    await expect(cell).toHaveText('1310 Frozen inventory');
    await page.reload();
    await expect(cell).toHaveText('1310 Frozen inventory');
    expect(complaints.splice(0).every((text) => text.includes('ERR_FAILED'))).toBe(true);
  });

  await test.step('an unknown product is not found when its account is changed', async () => {
    await prepared(api);
    const { id } = await makeProduct(api, 'Gone tomorrow');
    await page.goto('/products?q=gone');
    const cell = page.getByRole('button', { name: /^Inventory account of Gone tomorrow/ });
    await cell.click();
    await page.route('**/api/live', (route) => route.abort());
    const option = page.getByRole('option', { name: '1310 Frozen inventory' });
    await expect(option).toBeVisible();
    await page.route(`**/api/products/${id}`, (route) =>
      route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        body: '{"code":"notFound","status":404}',
      }),
    );
    await option.click();
    await expect(toast(page, 'Product not found')).toBeVisible();
    await expect(cell).toHaveText('–');
    expect(complaints.splice(0).join()).toContain('404');
  });
});

test('products are made inactive, and deleted unless they are used', async ({ signedIn: page, api, complaints }) => {
  await test.step('products are made inactive and active, one and many', async () => {
    await makeProduct(api, 'Halo-halo syrup');
    await makeProduct(api, 'Halo-halo mix');
    await page.goto('/products?q=halo');
    await act(page, 'Halo-halo syrup', 'Make inactive');
    await expect(toast(page, 'Product marked inactive')).toBeVisible();
    await expect(rowOf(page, 'Halo-halo syrup')).toHaveCount(0);
    await page.getByRole('button', { name: 'Inactive', exact: true }).click();
    await expect(page).toHaveURL(/status=inactive/);
    await act(page, 'Halo-halo syrup', 'Make active');
    await expect(toast(page, 'Product marked active')).toBeVisible();

    await page.getByRole('button', { name: 'Active', exact: true }).click();
    await expect(page.getByText('2 products', { exact: true }), 'what was known of before is asked for anew').toBeVisible();
    await page.getByLabel('Select all rows').check();
    await page.getByRole('button', { name: 'Make inactive', exact: true }).click();
    await expect(toast(page, '2 products marked inactive')).toBeVisible();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await expect(page.getByText('Inactive', { exact: true })).toHaveCount(3);
  });

  await test.step('a used record cannot be deleted, and can be made inactive instead', async () => {
    const used = await makeProduct(api, 'Sinigang base');
    await makeProduct(api, 'Sinigang cube');
    await api.call('POST', '/api/lists/recipes', { name: 'Sinigang for fifty', productId: used.id });
    await page.goto('/products?q=sinigang');
    await act(page, 'Sinigang base', 'Delete product');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText("“Sinigang base” can't be deleted")).toBeVisible();
    await expect(dialog.getByText('1 recipe: Sinigang for fifty')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make inactive' }).click();
    await expect(toast(page, 'Product marked inactive')).toBeVisible();
    await expect(rowOf(page, 'Sinigang base')).toHaveCount(0);

    await act(page, 'Sinigang cube', 'Delete product');
    await expect(dialog.getByText('Delete “Sinigang cube”?')).toBeVisible();
    // Another user refers to it between the question and the answer.
    const { items } = await api.call<{ items: Made[] }>('GET', '/api/products?q=cube');
    const recipe = await api.call<Made>('POST', '/api/lists/recipes', {
      name: 'Soup',
      productId: items[0]?.id,
    });
    await dialog.getByRole('button', { name: 'Delete product' }).click();
    await expect(toast(page, 'Failed to delete product')).toBeVisible();
    await expect(dialog.getByText("“Sinigang cube” can't be deleted")).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep as it is' }).click();
    await api.call('DELETE', `/api/lists/recipes/${recipe.id}`);

    await act(page, 'Sinigang cube', 'Delete product');
    await dialog.getByRole('button', { name: 'Delete product' }).click();
    await expect(toast(page, 'Product deleted')).toBeVisible();
    await expect(rowOf(page, 'Sinigang cube')).toHaveCount(0);
    // The toast only confirms; «Undo» remains after it.
    await expect(toast(page, 'Product deleted')).toHaveCount(0);
    await page.getByRole('button', { name: 'Recent changes' }).click();
    await expect(page.getByRole('menuitem', { name: /Product marked inactive \(Sinigang base\)/ })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(rowOf(page, 'Sinigang cube')).toBeVisible();
    await expect(toast(page, 'Undone: product deleted')).toBeVisible();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
  });
});

test('the product page shows everything about a product', async ({ signedIn: page, api, complaints }) => {
  test.slow();
  await test.step('the product page shows everything about a product', async () => {
    const { pc, box, standard } = await prepared(api);
    const { id } = await makeProduct(api, 'Kare-kare sauce', {
      sku: 'KK-1',
      baseUom: pc,
      defaultSellingUom: box,
      conversions: [{ fromUomId: box, toUomId: pc, factor: 24 }],
      priceLevelPrices: [{ priceLevelId: standard, price: 480 }],
    });
    await page.goto('/products?q=kare');
    await page.getByRole('link', { name: 'Kare-kare sauce' }).click();
    await expect(page).toHaveURL(new RegExp(`/products/${id}$`));
    await expect(page.getByRole('heading', { level: 1, name: 'Kare-kare sauce' })).toBeVisible();
    await expect(page.getByText('CASE, 24 PC')).toBeVisible();
    for (const [tab, words] of [
      ['Units', '1 CASE = 24 PC'],
      ['Prices', '480.00'],
      ['Root items', 'No root items yet'],
      ['Uses', 'Not used'],
      ['History', 'Kare-kare sauce'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await expect(page.getByText(words).first()).toBeVisible();
    }
    await page.reload();
    await expect(page.getByRole('link', { name: 'History', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });

  await test.step('an unknown id opens an empty product, ready to create', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/products/nothing-here');
    await expect(page.getByRole('heading', { level: 1, name: 'New product' })).toBeVisible();
    await expect(page.getByLabel('Name').first()).toHaveValue('');
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    await page.getByLabel('Name').first().fill('Made from nothing');
    await choose(page, page.getByRole('combobox', { name: 'Type', exact: true }), 'Non-inventory');
    await page.keyboard.press('Control+Enter');
    await expect(toast(page, 'Product created')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Made from nothing' })).toBeVisible();
    await expect(page).not.toHaveURL(/nothing-here/);
    expect(complaints.splice(0).every((text) => text.includes('404'))).toBe(true);
  });

  await test.step('a picture is dropped, uploaded and shown', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await makeProduct(api, 'Macapuno strings');
    await page.goto('/products?q=macapuno');
    await act(page, 'Macapuno strings', 'Edit');
    const drawer = page.getByRole('dialog');
    const png = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 240 } });
    const field = drawer.locator('input[type=file]').first();
    await field.setInputFiles({
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('no picture'),
    });
    await expect(drawer.getByText('Choose a JPEG, PNG, WebP or GIF picture.')).toBeVisible();
    await field.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png });
    await expect(drawer.getByAltText('The product')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await expect(toast(page, 'Product updated')).toBeVisible();
    const thumb = rowOf(page, 'Macapuno strings').locator('img');
    await expect
      .poll(() => thumb.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  });
});

test('two users change one product, and no input is lost', async ({ signedIn: page, api, complaints }) => {
  await test.step('two users change one product, and no input is lost', async () => {
    const { pc, box } = await prepared(api);
    const { id, revision } = await makeProduct(api, 'Puto mix', { baseUom: pc, sku: 'PM-1' });
    await page.goto('/products?q=puto');
    await act(page, 'Puto mix', 'Edit');
    const drawer = page.getByRole('dialog', { name: 'Edit product' });
    await drawer.getByLabel('Name').fill('Puto mix by me');
    await drawer.getByLabel('SKU').fill('PM-ME');
    await api.call('PATCH', `/api/products/${id}`, {
      name: 'Puto mix by her',
      otherUoms: [{ uomId: box, whole: true }],
      conversions: [{ fromUomId: box, toUomId: pc, factor: 12 }],
      revision,
    });
    await page.keyboard.press('Control+Enter');
    const merge = page.getByRole('dialog', { name: 'Changed by someone else' });
    await expect(merge).toContainText('This record was changed by');
    await expect(merge).toContainText('Puto mix by me');
    await expect(merge).toContainText('Puto mix by her');
    await expectAccessible(page);
    await merge.getByRole('button', { name: 'Keep typing' }).click();
    await expect(drawer.getByLabel('Name')).toHaveValue('Puto mix by me');
    await expect(drawer.getByLabel('SKU'), 'the keyboard is where it was').toBeFocused();
    await page.keyboard.press('Control+Enter');
    await merge.getByRole('button', { name: 'Save this choice' }).click();
    await expect(toast(page, 'Product updated')).toBeVisible();
    const now = await api.call<Record<string, unknown>>('GET', `/api/products/${id}`);
    expect(now).toMatchObject({ name: 'Puto mix by me', sku: 'PM-ME' });
    expect(now.conversions, 'what only the other one changed').toHaveLength(1);
    expect(complaints.splice(0).every((text) => text.includes('409'))).toBe(true);
  });

  await test.step("another user’s change shows in a form without input", async () => {
    const { id, revision } = await makeProduct(api, 'Bibingka mix');
    await page.goto('/products?q=bibingka');
    await act(page, 'Bibingka mix', 'Edit');
    const drawer = page.getByRole('dialog', { name: 'Edit product' });
    await expect(drawer.getByLabel('Name')).toHaveValue('Bibingka mix');
    await api.call('PATCH', `/api/products/${id}`, { name: 'Bibingka flour', revision });
    await expect(drawer.getByLabel('Name')).toHaveValue('Bibingka flour');
    await drawer.getByLabel('SKU').fill('BF-1');
    await page.keyboard.press('Control+Enter');
    await expect(toast(page, 'Product updated')).toBeVisible();
    expect(await api.call('GET', `/api/products/${id}`)).toMatchObject({ name: 'Bibingka flour', sku: 'BF-1' });
  });
});

test('read-only users are offered nothing else', async ({ api, server, browser }) => {
  await makeProduct(api, 'Only to look at');
  const role = await makeRole(api, {
    products: { products: { view: true } },
    apps: { backOffice: { view: true } },
  });
  const person = await makePerson(api, 'Lorna', role.id);
  const { context, page } = await browserOf(browser, server.url);
  await enter(page, person.email);
  await page.goto('/products');
  await expect(rowOf(page, 'Only to look at')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New product' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Inventory account of/ })).toHaveCount(0);
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions for Only to look at' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['View', 'History']);
  await context.close();
});
