// A kitchen is counted: by keyboard at a desk, without a network on a phone, and posted with its differences.

import type { Api } from '../support/test.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

interface Made {
  id: string;
}

/** A kitchen with 96 buns, and ten kilos of butter in the chiller. */
async function kitchen(api: Api) {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const place = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const chiller = await make('/api/lists/storage-requirements', { name: 'Chiller' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const kilo = await make('/api/lists/uoms', { name: 'Kilo', code: 'kg' });
  const buns = await make('/api/products', { name: 'Buns', sku: 'BUN', baseUom: piece.id });
  const butter = await make('/api/products', {
    name: 'Butter',
    sku: 'BUT',
    baseUom: kilo.id,
    storageRequirement: chiller.id,
  });
  for (const [product, quantity] of [
    [buns, 96],
    [butter, 10],
  ] as const) {
    await api.call('POST', `/api/products/${product.id}/adjust`, {
      quantity,
      placeKind: 'commissary',
      placeId: place.id,
    });
  }
  return { buns, butter };
}

const stockOf = async (api: Api, product: Made) => {
  const stock = await api.call<{ places: { qty: number }[] }>('GET', `/api/products/${product.id}/stock`);
  return stock.places.map(({ qty }) => qty);
};

test('a kitchen is counted and its stock corrected', async ({ signedIn: page, api, complaints }) => {
  const { buns, butter } = await kitchen(api);
  const grid = page.getByRole('grid', { name: 'Count sheet' });
  const counted = (name: string) => grid.getByLabel(`Counted, ${name}`, { exact: true });

  await test.step('the sheet has what the ledger has, by area', async () => {
    await page.goto('/commissary/production');
    await page.getByRole('link', { name: 'Stock-takes' }).click();
    await page.getByRole('button', { name: 'New stock-take' }).click();
    await page.getByRole('button', { name: 'Make sheet' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^ST-\d{4}-\d{6}$/);
    await expect(grid.getByText('Chiller')).toBeVisible();
    await expect(grid.getByText('Without an area')).toBeVisible();
    await page.getByRole('button', { name: 'Start counting' }).click();
    await expect(page.getByText('0 of 2 counted')).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('Enter moves on, and sums are worked out', async () => {
    await counted('Butter').fill('8+0.5');
    await counted('Butter').press('Enter');
    await expect(counted('Buns')).toBeFocused();
    await expect(page.getByText('1 of 2 counted')).toBeVisible();
    await expect(counted('Butter')).toHaveValue('8.5');
    await expect(grid.getByText('−1.5')).toBeVisible();
  });
  await test.step('without a network a number stays on the device, and is sent when it is back', async () => {
    await page.context().setOffline(true);
    await counted('Buns').fill('90');
    await counted('Buns').press('Enter');
    await expect(page.getByText(/1 number saved on this device/)).toBeVisible();
    await page.context().setOffline(false);
    await page.reload();
    await expect(page.getByText('2 of 2 counted')).toBeVisible();
    await expect(page.getByText(/saved on this device/)).toBeHidden();
    await expect(counted('Buns')).toHaveValue('90');
  });
  await test.step('another lot is added', async () => {
    await page.getByRole('button', { name: 'Lot, product or unit' }).click();
    await page.getByRole('textbox', { name: 'Product' }).fill('Butter');
    await page.getByRole('option', { name: 'Butter' }).click();
    await page.getByLabel('Lot', { exact: true }).fill('B-7');
    await page.getByRole('dialog').getByLabel('Counted').fill('2');
    await page.getByRole('button', { name: 'Add to sheet' }).click();
    await expect(counted('Butter, lot B-7')).toHaveValue('2');
  });
  await test.step('posting corrects the stock', async () => {
    await page.getByRole('button', { name: 'Post differences' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Post differences' }).click();
    await expect(page.getByText('Posted', { exact: true }).first()).toBeVisible();
    await expect(page.getByText(/^Stock-take ST-/)).toBeVisible();
    expect(await stockOf(api, buns)).toEqual([90]);
    expect(await stockOf(api, butter)).toEqual([10.5]);
  });
  // The browser names each request that found no network.
  expect(complaints.splice(0).filter((said) => !/ERR_INTERNET_DISCONNECTED/.test(said))).toEqual([]);
});

test('a phone counts a blind take, and the rest is zero', async ({ signedIn: page, api }) => {
  const { buns } = await kitchen(api);
  await page.setViewportSize({ width: 390, height: 844 });
  const grid = page.getByRole('grid', { name: 'Count sheet' });

  await test.step('the ledger is hidden while counting', async () => {
    await page.goto('/commissary/stock-takes?open=new');
    await page.getByRole('switch', { name: /^Blind/ }).check();
    await page.getByRole('button', { name: 'Make sheet' }).click();
    await page.getByRole('button', { name: 'Start counting' }).click();
    await grid.getByLabel('Counted, Butter', { exact: true }).fill('10');
    await page.keyboard.press('Enter');
    await expect(page.getByText('1 of 2 counted')).toBeVisible();
    await expect(grid.getByText('Ledger')).toHaveCount(0);
    await expectAccessible(page);
  });
  await test.step('what was not found is zero, asked once', async () => {
    await page.getByRole('button', { name: 'Count the rest as zero' }).click();
    await page.getByRole('button', { name: 'Count 1 line as zero' }).click();
    await expect(page.getByText('2 of 2 counted')).toBeVisible();
  });
  await test.step('the differences are reviewed, then posted', async () => {
    await page.getByRole('button', { name: 'Review differences' }).click();
    await expect(grid.getByText('−96')).toBeVisible();
    await page.getByRole('button', { name: 'Post differences' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Post differences' }).click();
    await expect(page.getByText('Posted', { exact: true }).first()).toBeVisible();
    expect(await stockOf(api, buns)).toEqual([]);
  });
});
