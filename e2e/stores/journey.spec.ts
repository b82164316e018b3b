// The path of goods, from a store's order to the last unit: ordered, shared, produced, sent, received offline, traced
// and recalled. The final stock of every place was computed by hand.

import { whole } from '../support/browser.ts';
import { readyForOffline } from '../support/counts.ts';
import { admit, browserOf, makePerson, makeRole } from '../support/people.ts';
import { admin, Server } from '../support/server.ts';
import { type Api, expect, test } from '../support/test.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow', launchOptions: whole });

interface Made {
  id: string;
  revision: number;
}

/** The smallest PNG. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const soon = () => new Date(Date.now() + 8 * 3_600_000 + 2 * 86_400_000).toISOString().slice(0, 10);
const ITEMS = Array.from({ length: 59 }, (_, n) => `Item ${String(n + 1).padStart(2, '0')}`);
/** Trays that Cubao orders of each item: eight of the first, one to four of the others. */
const ORDERED = ITEMS.map((_, n) => (n === 0 ? 8 : ((n + 1) % 4) + 1));

/** Two stores; 59 items in trays of ten, of which the kitchen has 100, but 12 of the first; rolls that it must make. */
async function house(api: Api) {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const store = await make('/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  const other = await make('/api/stores/locations', { name: 'Makati', code: 'MKT' });
  const kitchen = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const tray = await make('/api/lists/uoms', { name: 'Tray', code: 'tray' });
  const kilo = await make('/api/lists/uoms', { name: 'Kilo', code: 'kg' });
  const inTrays = {
    baseUom: piece.id,
    defaultSellingUom: tray.id,
    conversions: [{ fromUomId: tray.id, toUomId: piece.id, factor: 10 }],
    otherUoms: [{ uomId: tray.id, whole: true }],
  };
  const put = (id: string, quantity: number) =>
    api.call('POST', `/api/products/${id}/adjust`, { quantity, placeKind: 'commissary', placeId: kitchen.id });
  const ids: Record<string, string> = {};
  for (const [n, name] of ITEMS.entries()) {
    const { id } = await make('/api/products', { name, sku: `I${n + 1}`, ...inTrays });
    await put(id, n === 0 ? 120 : 1000);
    ids[name] = id;
  }
  const flourRoot = await make('/api/lists/root-items', { name: 'Flour', rootProductId: 'FLOUR', production: true });
  const flour = await make('/api/products', {
    name: 'Flour',
    sku: 'FLO',
    type: 'Inventory',
    baseUom: kilo.id,
    rootItemConversions: [{ rootItemId: flourRoot.id, factor: 1000 }],
  });
  await put(flour.id, 20);
  const rolls = await make('/api/products', { name: 'Rolls', sku: 'ROL', shelfLife: 2, ...inTrays });
  await make('/api/lists/recipes', {
    name: 'Rolls',
    productId: rolls.id,
    yieldQty: 40,
    yieldUomId: piece.id,
    rootItems: [{ rootItemId: flourRoot.id, qty: 2000 }],
  });
  const order = await make('/api/stores/orders', {
    storeId: other.id,
    sourceType: 'commissary',
    sourceId: kitchen.id,
    neededDate: soon(),
    lines: [{ productId: ids['Item 01'], uomId: tray.id, qty: 10 }],
  });
  await api.call('POST', `/api/stores/orders/${order.id}/submit`, { revision: order.revision });
  return { store, kitchen, rolls: rolls.id, flour: flour.id, ids };
}

test('a store’s order is produced, sent, received and traced to the last unit', async ({ browser }) => {
  test.slow();
  const server = await Server.start();
  const { context: office, page } = await browserOf(browser, server.url);
  await page.setViewportSize({ width: 1440, height: 900 });
  const api = await admit(office, server.url, admin.email, admin.password);
  const { store, rolls, flour, ids } = await house(api);
  const role = await makeRole(api, {
    apps: { branchOps: { view: true } },
    stores: { storeReceive: { view: true, create: true, edit: true, post: true } },
  });
  const person = await makePerson(api, 'Dina', role.id);
  let order = '';

  await test.step('the store orders sixty lines by keyboard', async () => {
    await page.goto('/stores/orders/new');
    await page.getByRole('textbox', { name: 'Order from' }).or(page.getByLabel('Order from')).first().waitFor();
    await page.getByRole('button', { name: 'Start order' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^SO-/ })).toBeVisible();
    order = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByLabel('Order, Flour').waitFor();
    await page.getByLabel('Order, Item 01').click();
    for (const trays of ORDERED) {
      await page.keyboard.type(String(trays));
      await page.keyboard.press('Enter');
    }
    await page.keyboard.type('4');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Order saved')).toBeVisible();
    await expect(page.getByLabel('Order, Rolls')).toHaveValue('4');
    await expect(page.getByText('60 items', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Submit order' }).click();
    await expect(page.getByText('waiting for approval')).toBeVisible();
  });
  const { neededDate } = await api.call<{ neededDate: string }>('GET', `/api/stores/orders/${order}`);

  await test.step('the kitchen plans and produces what is missing', async () => {
    await page.goto(`/commissary/orders?neededDate=${neededDate > soon() ? neededDate : soon()}&tab=make`);
    await page.getByRole('button', { name: 'Plan 1 batch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Plan batches' }).click();
    await page.getByRole('dialog').getByRole('link').first().click();
    await expect(page.getByText('Planned', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: /^Start/ }).click();
    await page.getByLabel('Made, pc').fill('42');
    await page.getByLabel('Lot', { exact: true }).fill('R-77');
    await page.getByRole('button', { name: /^Post/ }).click();
    await expect(page.getByText('Posted', { exact: true }).first()).toBeVisible();
  });

  await test.step('head office approves the available quantity, fairly shared', async () => {
    await page.goto(`/commissary/orders?neededDate=${neededDate > soon() ? neededDate : soon()}`);
    await page.getByRole('button', { name: 'Share what there is' }).click();
    // 12 trays for 8 and 10: 5.33 and 6.67, the last one to the larger remainder.
    await expect(page.getByLabel(/^Item 01, Cubao: share/)).toHaveValue('5');
    await expect(page.getByLabel(/^Item 01, Makati: share/)).toHaveValue('7');
    await page.getByRole('button', { name: 'Approve 2 orders' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve 2 orders' }).click();
    await expect(page.getByText('2 orders updated')).toBeVisible();
    await page.getByRole('link', { name: 'Make deliveries' }).click();
    await page.getByRole('button', { name: 'Make 2 deliveries' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make deliveries' }).click();
    await expect(page.getByText('2 deliveries made.')).toBeVisible();
  });

  await test.step('the kitchen picks, packs and sends', async () => {
    const { items } = await api.call<{ items: Made[] }>('GET', `/api/commissary/deliveries?storeId=${store.id}`);
    await page.goto(`/commissary/delivery/${items[0]?.id}`);
    await page.getByRole('button', { name: 'Start picking' }).click();
    await page.getByRole('button', { name: 'All 60 lines picked as ordered' }).click();
    await page.getByLabel('Driver').fill('Rico');
    await page.getByRole('button', { name: 'Pack' }).click();
    await page.getByRole('button', { name: 'Dispatch' }).click();
    await expect(page.getByText('on its way', { exact: true })).toBeVisible();
  });

  const { context, page: phone } = await browserOf(browser, server.url);
  await test.step('the store receives it offline on a phone', async () => {
    await phone.setViewportSize({ width: 390, height: 844 });
    await admit(context, server.url, person.email);
    await phone.goto('/branch-ops');
    await phone.getByRole('link', { name: /1 delivery on the way/ }).click();
    await phone.getByRole('link', { name: /^DL-/ }).click();
    await expect(phone.getByRole('button', { name: 'All of it arrived' })).toBeVisible();
    await readyForOffline(phone);
    await server.kill();
    await context.setOffline(true);
    await phone.reload();
    await phone.getByLabel('Item 02: came').fill('2');
    await phone.getByLabel('Item 02: why').selectOption('short');
    await phone.getByLabel('Item 02: what becomes of it').selectOption('credit');
    await phone.getByRole('listitem').filter({ hasText: 'Item 03' }).getByRole('button').first().click();
    await phone.getByLabel('Item 03: refused').fill('1');
    await phone.getByLabel('Item 03: why').selectOption('damaged');
    await phone.getByLabel('Item 03: what becomes of it').selectOption('return');
    await phone.getByLabel('Photo', { exact: true }).setInputFiles({ name: 'tray.png', mimeType: 'image/png', buffer: PICTURE });
    await expect(phone.getByRole('button', { name: 'Remove photo 1' })).toBeVisible();
    await phone.getByRole('button', { name: 'Post with 2 differences' }).click();
    await expect(phone.getByRole('button', { name: '1 waiting' })).toBeVisible();
    await server.serve();
    await context.setOffline(false);
    await expect(phone.getByText(/^Taken in: GR-/)).toBeVisible({ timeout: 45_000 });
  });

  await test.step('every place has its expected stock', async () => {
    const held = async (id: string) => {
      const { places } = await api.call<{ places: { placeKind: string; qty: number }[] }>('GET', `/api/products/${id}/stock`);
      // A store that never counted knows only what came.
      const { items } = await api.call<{ items: { qty: number }[] }>('GET', `/api/products/${id}/movements?placeKind=store`);
      const store = items.reduce((sum, { qty }) => sum + qty, 0);
      const kept = places.filter(({ qty }) => qty !== 0).map(({ placeKind, qty }) => [placeKind, qty]);
      return Object.fromEntries(store === 0 ? kept : [...kept, ['store', store]]);
    };
    const sheet: Record<string, Record<string, number>> = {};
    for (const [n, name] of ITEMS.entries()) {
      const sent = (ORDERED[n] ?? 0) * 10;
      sheet[name] = { commissary: 1000 - sent, store: sent };
    }
    sheet['Item 01'] = { commissary: 70, store: 50 };
    sheet['Item 02'] = { commissary: 970, store: 20 };
    sheet['Item 03'] = { commissary: 970, store: 30 };
    const found: Record<string, Record<string, number>> = {};
    for (const name of ITEMS) found[name] = await held(ids[name] ?? '');
    expect(found).toEqual(sheet);
    expect(await held(rolls)).toEqual({ commissary: 2, store: 40 });
    expect(await held(flour)).toEqual({ commissary: 18 });
    const ordered = await api.call<{
      status: string;
      lines: { name: string; qtyOrdered: number; qtyApproved: number; qtyDispatched: number; qtyReceived: number }[];
    }>('GET', `/api/stores/orders/${order}`);
    const figures = Object.fromEntries(
      ordered.lines.map((line) => [line.name, [line.qtyOrdered, line.qtyApproved, line.qtyDispatched, line.qtyReceived]]),
    );
    // Sharing cut nothing: 3 are still to be sent.
    expect(figures['Item 01']).toEqual([8, 8, 5, 5]);
    expect(figures['Item 02']).toEqual([3, 3, 3, 2]);
    expect(figures['Item 03']).toEqual([4, 4, 4, 3]);
    expect(figures['Item 04']).toEqual([1, 1, 1, 1]);
    expect(figures.Rolls).toEqual([4, 4, 4, 4]);
    await page.goto(`/products/${ids['Item 03']}?tab=stock`);
    await expect(page.getByRole('row', { name: /Cubao.*Never counted/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Pasig kitchen.* 970\b/ })).toBeVisible();
  });

  await test.step('the lot is traced from the batch to the store, and recalled', async () => {
    await page.goto('/stock/lots/R-77');
    const events = page.getByRole('region', { name: 'Everything that happened' });
    await expect(events.getByText(/^(PR|PB|BT|MO)-/).first()).toBeVisible();
    await expect(events.getByText(/^DL-/).first()).toBeVisible();
    await expect(events.getByText(/^GR-/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Recall lot' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Metal found');
    await page.getByRole('dialog').getByRole('button', { name: 'Recall lot' }).click();
    await expect(page.getByText('Recalled', { exact: true }).first()).toBeVisible();
    await page.goto('/stores/receive');
    await expect(page.getByRole('region', { name: 'Recalled' })).toContainText('Metal found');
  });

  await context.close();
  await office.close();
  await server.stop();
});
