// The branch app on a phone: offline input reaches the server once, and nothing of it is lost.

import type { BrowserContext, Page } from '@playwright/test';
import { whole } from '../support/browser.ts';
import { readyForOffline } from '../support/counts.ts';
import { admit, browserOf, makePerson, makeRole } from '../support/people.ts';
import { scan } from '../support/scanner.ts';
import { admin, Server } from '../support/server.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

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

const NAMES = ['Adobo flakes', 'Buns', 'Cheese'];
const BUNS = '4800012345678';

/** A delivery of four of each, in transit to the only store. */
async function deliveryOnItsWay(api: Api) {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const store = await make('/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  const kitchen = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const lines: object[] = [];
  for (const name of NAMES) {
    const barcodes = name === 'Buns' ? [{ code: BUNS, uomId: piece.id }] : [];
    const units = { baseUom: piece.id, defaultSellingUom: piece.id };
    const product = await make('/api/products', { name, ...units, barcodes });
    const there = { quantity: 50, placeKind: 'commissary', placeId: kitchen.id };
    await api.call('POST', `/api/products/${product.id}/adjust`, there);
    lines.push({ productId: product.id, uomId: piece.id, qty: 4 });
  }
  let delivery = await make('/api/commissary/deliveries', {
    sourceType: 'commissary',
    commissaryId: kitchen.id,
    storeId: store.id,
    lines,
  });
  for (const step of ['pick', 'pack', 'dispatch']) {
    delivery = await make(`/api/commissary/deliveries/${delivery.id}/${step}`, { revision: delivery.revision });
  }
  return { storeId: store.id, kitchenId: kitchen.id };
}

/** Whether the lines of deliveries in transit, and the barcodes of products, are on this device. */
function linesKept(page: Page): Promise<boolean> {
  return page.evaluate(
    () =>
      new Promise<boolean>((done) => {
        const opening = indexedDB.open('larder');
        opening.onerror = () => done(false);
        opening.onsuccess = () => {
          const asked = opening.result.transaction('cache').objectStore('cache').getAllKeys();
          asked.onsuccess = () => {
            opening.result.close();
            const keys = asked.result.map(String);
            done(keys.some((key) => key.includes(':branch:lines:')) && keys.some((key) => key.endsWith(':barcodes')));
          };
        };
      }),
  );
}

const offline = async (context: BrowserContext, server: Server) => {
  await server.kill();
  await context.setOffline(true);
};
const online = async (context: BrowserContext, server: Server) => {
  await server.serve();
  await context.setOffline(false);
};

test('a store receives a delivery offline, with two differences and a photo', async ({ browser }) => {
  const server = await Server.start();
  const office = await browser.newContext({ baseURL: server.url });
  const api = await admit(office, server.url, admin.email, admin.password);
  await deliveryOnItsWay(api);
  const role = await makeRole(api, {
    apps: { branchOps: { view: true } },
    stores: { storeReceive: { view: true, create: true, edit: true, post: true } },
  });
  const person = await makePerson(api, 'Dina', role.id);
  const { context, page } = await browserOf(browser, server.url);
  await page.setViewportSize({ width: 390, height: 844 });
  await admit(context, server.url, person.email);

  await test.step('the day is shown, and deliveries in transit are kept on the device', async () => {
    await page.goto('/branch-ops');
    await expect(page.getByRole('link', { name: /1 delivery on the way/ })).toBeVisible();
    await expectAccessible(page);
    await readyForOffline(page);
    await expect.poll(() => linesKept(page)).toBe(true);
  });

  await test.step('the day and the delivery open offline', async () => {
    await offline(context, server);
    await page.reload();
    await page.getByRole('link', { name: /1 delivery on the way/ }).click();
    await page.getByRole('link', { name: /^DL-/ }).click();
    await expect(page.getByRole('button', { name: 'All of it arrived' })).toBeVisible();
    await expect(page.getByLabel('Buns: came')).toHaveValue('4');
  });

  await test.step('a code is scanned offline: to its line, whatever had the focus', async () => {
    await scan(page, BUNS);
    await expect(page.getByLabel('Buns: came')).toBeFocused();
    await page.getByLabel('Cheese: came').focus();
    await scan(page, BUNS);
    await expect(page.getByLabel('Buns: came')).toBeFocused();
    await expect(page.getByLabel('Cheese: came')).toHaveValue('4');
    await expect(page.getByRole('button', { name: 'All of it arrived' })).toBeVisible();
    await scan(page, '5012345678900');
    const notice = page.getByRole('alert').filter({ hasText: 'Nothing here has the code 5012345678900.' });
    await expect(notice).toBeVisible();
    await notice.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('a difference proposes or asks for its reason, and the input survives the page', async () => {
    await page.getByLabel('Buns: came').fill('3');
    await expect(page.getByLabel('Buns: why')).toHaveValue('short');
    await page.getByRole('listitem').filter({ hasText: 'Cheese' }).getByRole('button').click();
    await page.getByLabel('Cheese: refused').fill('1');
    await page.getByRole('button', { name: 'Post with 2 differences' }).click();
    await expect(page.getByRole('alert')).toContainText('1 line to look at');
    await page.getByLabel('Cheese: why').selectOption('damaged');
    await page.getByLabel('Cheese: what becomes of it').selectOption('return');
    await page.getByLabel('Photo of Cheese').setInputFiles({ name: 'cheese.png', mimeType: 'image/png', buffer: PICTURE });
    const cheese = page.getByRole('region', { name: 'Photos of Cheese' });
    await expect(cheese.getByRole('button', { name: 'Remove photo 1' })).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByLabel('Buns: came')).toHaveValue('3');
    await expect(page.getByLabel('Cheese: refused')).toHaveValue('1');
    await expect(cheese.getByRole('button', { name: 'Remove photo 1' })).toBeVisible();
  });

  await test.step('it waits on the device, with its number', async () => {
    await page.getByRole('button', { name: 'Post with 2 differences' }).click();
    await expect(page.getByText(/Waiting to be sent/)).toBeVisible();
    await expect(page.getByRole('button', { name: '1 waiting' })).toBeVisible();
    await page.reload();
    await expect(page.getByText(/Waiting to be sent/)).toBeVisible();
    await page.getByRole('button', { name: '1 waiting' }).click();
    await expect(page.getByRole('dialog', { name: 'On this device' }).getByText(/^Receipt: DL-/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('it is sent when the network is back, once', async () => {
    await online(context, server);
    await expect(page.getByText(/^Taken in: GR-/)).toBeVisible({ timeout: 45_000 });
    await expect(page.getByRole('button', { name: 'All sent' })).toBeVisible();
    const { items } = await api.call<{ items: Made[] }>('GET', '/api/stores/receive');
    expect(items).toHaveLength(1);
    const receipt = await api.call<{
      status: string;
      photos: string[];
      photoProducts: Record<string, string>;
      lines: { productId: string; name: string; received: number; rejected: number; reason?: string | null; resolution?: string | null }[];
    }>('GET', `/api/stores/receive/${items[0]?.id}`);
    expect(receipt.status).toBe('posted');
    expect(receipt.photos).toHaveLength(1);
    const shows = receipt.lines.filter(({ productId }) => productId === receipt.photoProducts[receipt.photos[0] ?? '']);
    expect(shows.map(({ name }) => name)).toEqual(['Cheese']);
    const came = receipt.lines.map(({ name, received, rejected, reason, resolution }) => [
      name,
      received,
      rejected,
      reason ?? null,
      resolution ?? null,
    ]);
    expect(came).toEqual([
      ['Adobo flakes', 4, 0, null, null],
      ['Buns', 3, 0, 'short', null],
      ['Cheese', 4, 1, 'damaged', 'return'],
    ]);
  });
  await context.close();
  await office.close();
  await server.stop();
});

test('waste, a transfer and an order are saved while typing, and a refused one can be corrected', async ({ signedIn: page, api, complaints }) => {
  const { storeId, kitchenId } = await deliveryOnItsWay(api);
  const closed = await api.call<Made>('POST', '/api/stores/locations', { name: 'Ermita', code: 'ERM' });
  await api.call('PATCH', `/api/stores/locations/${closed.id}`, { revision: closed.revision, inactive: true });
  await api.call('POST', '/api/stores/locations', { name: 'Makati', code: 'MKT' });
  await api.call('PUT', `/api/stores/delivery-calendar/${storeId}/commissary/${kitchenId}`, {
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    cutoffTime: '16:00',
    cutoffDays: 1,
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript((id) => localStorage.setItem('branchOps:lastStoreId', id), storeId);

  await test.step('waste asks for its reason, and survives a reload', async () => {
    await page.goto('/branch-ops/waste');
    await page.getByLabel('Add an item').fill('bun');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Buns: how much')).toBeFocused();
    await page.keyboard.type('1+1');
    await page.getByRole('button', { name: 'Submit 1 item' }).click();
    await expect(page.getByText('Choose why.')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Buns: why').selectOption('spoiled');
    await page.reload();
    await expect(page.getByLabel('Buns: how much')).toHaveValue('2');
    await expect(page.getByLabel('Buns: why')).toHaveValue('spoiled');
    await page.getByRole('button', { name: 'Submit 1 item' }).click();
    await expect(page.getByText(/^Submitted: WA-/)).toBeVisible();
    await expect(page.getByText('Nothing entered yet')).toBeVisible();
  });

  await test.step('a refused transfer keeps the input, shows the reason and can be changed', async () => {
    await page.goto('/branch-ops/transfer');
    await page.getByLabel('To', { exact: true }).selectOption('Ermita (ERM)');
    await page.getByLabel('Add an item').fill('cheese');
    await page.keyboard.press('Enter');
    await page.keyboard.type('2');
    await page.getByRole('button', { name: 'Send 1 item to Ermita' }).click();
    await expect(page.getByText('Ermita is closed; choose another store.')).toBeVisible();
    await expect(page.getByRole('button', { name: '1 refused' })).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('button', { name: 'Change it' }).click();
    await expect(page.getByLabel('Cheese: how much')).toHaveValue('2');
    await expect(page.getByRole('button', { name: 'All sent' })).toBeVisible();
    await page.getByLabel('To', { exact: true }).selectOption('Makati (MKT)');
    await page.getByRole('button', { name: 'Send 1 item to Makati' }).click();
    // Nothing is expected of what was never counted, so nothing is asked.
    await expect(page.getByText(/^Sent: TR-/)).toBeVisible();
    const { items } = await api.call<{ items: { status: string }[] }>('GET', '/api/stores/transfers');
    expect(items.map(({ status }) => status)).toEqual(['dispatched']);
  });

  await test.step('an order for the next delivery is saved, and submitted', async () => {
    await page.goto('/branch-ops');
    await page.getByRole('link', { name: /Order from Pasig kitchen/ }).click();
    await page.getByLabel('Adobo flakes: order').fill('3');
    await scan(page, BUNS);
    await expect(page.getByLabel('Buns: order')).toBeFocused();
    await expect(page.getByLabel('Buns: order')).toHaveValue('');
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByLabel('Adobo flakes: order')).toHaveValue('3');
    await page.getByRole('button', { name: /^Submit 1 item/ }).click();
    await expect(page.getByText(/^Submitted: SO-/)).toBeVisible();
    const { items } = await api.call<{ items: { status: string; lineCount: number }[] }>('GET', '/api/stores/orders');
    expect(items).toMatchObject([{ status: 'submitted', lineCount: 1 }]);
  });
  // The expected refusals.
  expect(complaints.splice(0).filter((said) => !/422|409/.test(said))).toEqual([]);
});

test('unknown URLs of the branch app lead to its start page', async ({ signedIn: page, api }) => {
  await api.call('POST', '/api/stores/locations', { name: 'Naga', code: 'NAG' });
  for (const path of ['/branch-ops/x', '/branch-ops/receive/a/b', '/branch-ops/waste/z']) {
    await page.goto(path);
    await expect(page).toHaveURL('/branch-ops');
    await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  }
});
