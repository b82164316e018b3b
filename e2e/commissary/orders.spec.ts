// Store orders in the kitchen: shared, picked, produced and sent.

import type { Api } from '../support/test.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

interface Made {
  id: string;
  revision: number;
}

const soon = () => new Date(Date.now() + 8 * 3_600_000 + 2 * 86_400_000).toISOString().slice(0, 10);

/** Three stores that ordered 12, 13 and 8 trays of buns, of which there are 18. */
async function house(api: Api) {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const kitchen = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const tray = await make('/api/lists/uoms', { name: 'Tray', code: 'tray' });
  const product = async (name: string, quantity: number) => {
    const made = await make('/api/products', {
      name,
      sku: name.slice(0, 3).toUpperCase(),
      baseUom: piece.id,
      defaultSellingUom: tray.id,
      conversions: [{ fromUomId: tray.id, toUomId: piece.id, factor: 10 }],
      otherUoms: [{ uomId: tray.id, whole: true }],
    });
    const placed = { quantity, placeKind: 'commissary', placeId: kitchen.id };
    await api.call('POST', `/api/products/${made.id}/adjust`, placed);
    return made;
  };
  const buns = await product('Buns', 180);
  const cheese = await product('Cheese', 500);
  const orders: { id: string; revision: number }[] = [];
  for (const [name, code, trays] of [
    ['Cubao', 'CUB', 12],
    ['Makati', 'MKT', 13],
    ['Pasay', 'PSY', 8],
  ] as const) {
    const store = await make('/api/stores/locations', { name, code });
    const order = await make('/api/stores/orders', {
      storeId: store.id,
      sourceType: 'commissary',
      sourceId: kitchen.id,
      neededDate: soon(),
      lines: [
        { productId: buns.id, uomId: tray.id, qty: trays },
        { productId: cheese.id, uomId: tray.id, qty: 2 },
      ],
    });
    orders.push(await api.call('POST', `/api/stores/orders/${order.id}/submit`, { revision: order.revision }));
  }
  return orders;
}

test('a kitchen shares its stock, picks and sends it', async ({ signedIn: page, api, complaints }) => {
  const orders = await house(api);
  const share = (store: string) => page.getByLabel(new RegExp(`^Buns, ${store}: share`));

  await test.step('shortages are highlighted', async () => {
    await page.goto(`/commissary/orders?neededDate=${soon()}`);
    const grid = page.getByRole('grid', { name: 'Products by store' });
    await expect(grid.getByRole('row', { name: /^Buns tray 33 33 18 0 18 15 / })).toBeVisible();
    await page.getByRole('button', { name: 'Only short 1' }).click();
    await expect(grid.getByText('Cheese')).toBeHidden();
    await page.getByRole('button', { name: 'Buns' }).click();
    await expect(page.getByText('Short by 15 tray: 33 still to send − 18 on hand')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'All 2' }).click();
  });

  await test.step('shares are computed, explained and changed by hand', async () => {
    await page.getByRole('button', { name: 'Share what there is' }).click();
    await expect(share('Cubao')).toHaveValue('7');
    await expect(share('Makati')).toHaveValue('7');
    await expect(share('Pasay')).toHaveValue('4');
    await share('Makati').click();
    await expect(page.getByText('7 of 13 tray: 18 tray for 33 ordered is 54.5%')).toBeVisible();
    await page.keyboard.type('2*5');
    await page.keyboard.press('ArrowUp');
    await expect(share('Makati')).toHaveValue('10');
    await expect(page.getByText('1 changed by hand')).toBeVisible();
    await expect(share('Cubao')).toHaveValue('5');
    await expect(share('Pasay')).toHaveValue('3');
    await share('Pasay').fill('9');
    await expect(share('Pasay')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('button', { name: 'Approve 3 orders' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(share('Pasay')).toHaveValue('3');
    await expectAccessible(page);
  });

  await test.step('another user saved first, and no input is lost', async () => {
    await page.getByRole('button', { name: 'Approve 3 orders' }).click();
    const [first] = orders;
    let faster = false;
    await page.route('**/api/commissary/orders/share', async (route) => {
      if (route.request().postDataJSON().dryRun !== true && !faster) {
        faster = true;
        await api.call('POST', `/api/stores/orders/${first?.id}/approve`, { revision: first?.revision });
      }
      await route.continue();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 3 orders' }).click();
    await expect(page.getByText('Someone else saved first')).toBeVisible();
    complaints.length = 0;
    await expect(share('Makati')).toHaveValue('10');
    await page.getByRole('button', { name: 'Approve 2 orders' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 2 orders' }).click();
    await expect(page.getByText('3 orders updated')).toBeVisible();
    await expect(page.getByRole('status', { name: 'What sharing did' })).toHaveText(
      'Shared 18 tray of Buns over 3 stores: Cubao 12 → 5, Makati 13 → 10, Pasay 8 → 3. 15 tray stay short: there were 18 tray for 33.',
    );
    await page.getByRole('button', { name: 'Buns' }).click();
    await expect(page.getByText('Shared by hand; 18 of 33 tray were there.')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('the pick list', async () => {
    await page.getByRole('link', { name: 'Pick list' }).click();
    await page.getByRole('button', { name: 'By store', exact: true }).click();
    await expect(page.getByRole('row', { name: /^Makati/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /^Buns 10 tray/ })).toBeVisible();
  });

  await test.step('one delivery per store, in one step', async () => {
    await page.getByRole('link', { name: 'Make deliveries' }).click();
    await page.getByRole('button', { name: 'Make 3 deliveries' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make deliveries' }).click();
    await expect(page.getByText('3 deliveries made.')).toBeVisible();
    await page.getByRole('link', { name: /^DL-/ }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: /^DL-/ })).toBeVisible();
  });
});
