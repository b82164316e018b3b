// Orders of a store on its phone: what was sent can be followed and taken back, and nothing past its cut-off is lost.

import type { Page } from '@playwright/test';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

interface Made {
  id: string;
  revision: number;
}

interface Order extends Made {
  orderNo: string;
  status: string;
  neededDate: string;
  urgentReason: string | null;
  lines: { id: string; name: string; qtyOrdered: number }[];
}

/** Buns by the case of 24 and counted by the piece, and cheese: for all tests of this file. */
async function makeGoods(api: Api) {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const kitchen = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const box = await make('/api/lists/uoms', { name: 'Case', code: 'case' });
  const root = await make('/api/lists/root-items', { name: 'Buns (pc)' });
  await make('/api/products', {
    name: 'Buns',
    baseUom: piece.id,
    defaultSellingUom: box.id,
    conversions: [{ fromUomId: box.id, toUomId: piece.id, factor: 24 }],
    otherUoms: [{ uomId: box.id, whole: true }],
    rootItemConversions: [{ rootItemId: root.id, factor: 1 }],
  });
  const cheese = await make('/api/products', { name: 'Cheese', baseUom: piece.id, defaultSellingUom: piece.id });
  return { kitchenId: kitchen.id, rootItemId: root.id, cheese, piece };
}

let goods: ReturnType<typeof makeGoods> | undefined;

/** A store of the kitchen, with a par level of 100 buns. */
async function house(api: Api, name: string, code: string) {
  goods ??= makeGoods(api);
  const { rootItemId, ...made } = await goods;
  const store = await api.call<Made>('POST', '/api/stores/locations', { name, code });
  await api.call('POST', '/api/lists/store-root-items', { storeId: store.id, rootItemId, parQty: 100 });
  const calendar = `/api/stores/delivery-calendar/${store.id}/commissary/${made.kitchenId}`;
  return { ...made, storeId: store.id, calendar };
}

const rule = (cutoffDays: number) => ({
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  cutoffTime: '16:00',
  cutoffDays,
  skipHolidays: false,
});

async function ordersOf(api: Api, storeId: string): Promise<Order[]> {
  const { items } = await api.call<{ items: Order[] }>('GET', `/api/stores/orders?storeId=${storeId}`);
  return items;
}

async function open(page: Page, storeId: string) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript((id) => localStorage.setItem('branchOps:lastStoreId', id), storeId);
  await page.goto('/branch-ops/order');
}

test('a store follows its order, takes it back and sees what was cut', async ({ signedIn: page, api }) => {
  const { storeId, calendar } = await house(api, 'Cubao', 'CUB');
  await api.call('PUT', calendar, rule(1));
  await open(page, storeId);

  await test.step('a suggestion is a proposal with its reasons, and taking it can be undone', async () => {
    await page.getByRole('list', { name: 'Next orders' }).getByRole('link').click();
    const buns = page.getByLabel('Buns: order');
    await expect(buns).toHaveValue('');
    await expect(page.getByRole('button', { name: 'Nothing ordered yet' })).toBeDisabled();
    await page.getByRole('button', { name: 'Suggested 5 case. Why?' }).click();
    await expect(page.getByRole('dialog', { name: 'Suggested 5 case. Why?' })).toContainText('Par level');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Take 1 suggestion' }).click();
    await expect(buns).toHaveValue('5');
    await page.getByRole('button', { name: 'Undo 1 suggestion' }).click();
    await expect(buns).toHaveValue('');
    await page.getByRole('button', { name: 'Take 5 case of Buns' }).click();
    await expect(buns).toHaveValue('5');
    await expectAccessible(page);
  });

  await test.step('a submitted order opens, and can be taken back and changed', async () => {
    await page.getByRole('button', { name: /^Submit 1 item/ }).click();
    await expect(page.getByText(/^Submitted: SO-/)).toBeVisible();
    const sent = page.getByRole('list', { name: 'Sent orders' }).getByRole('link');
    await expect(sent).toContainText('Submitted: waiting for approval');
    await sent.click();
    await expect(page.getByText('5 case asked')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Take it back to change it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take it back to change it' }).click();
    await expect(page.getByLabel('Buns: order')).toHaveValue('5');
    await page.getByLabel('Buns: order').fill('6');
    await page.getByRole('button', { name: /^Submit 1 item/ }).click();
    await expect.poll(async () => (await ordersOf(api, storeId)).map(({ status }) => status)).toEqual(['submitted']);
  });

  await test.step('what head office cut is shown with the reason', async () => {
    const [head] = await ordersOf(api, storeId);
    const order = await api.call<Order>('GET', `/api/stores/orders/${head?.id}`);
    expect(order.lines.map(({ qtyOrdered }) => qtyOrdered)).toEqual([6]);
    await api.call('POST', `/api/stores/orders/${order.id}/approve`, {
      revision: order.revision,
      lines: [{ id: order.lines[0]?.id, qtyApproved: 4, reason: 'Oven down' }],
    });
    await page.goto('/branch-ops/order');
    const sent = page.getByRole('list', { name: 'Sent orders' }).getByRole('link');
    await expect(sent).toContainText('Less than asked of 1 item');
    await sent.click();
    await expect(page.getByText('6 case asked, 4 approved')).toBeVisible();
    await expect(page.getByText('Oven down')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Take it back to change it' })).toBeHidden();
  });
});

test('past the cut-off a draft moves to the next truck, or is asked for as urgent', async ({ signedIn: page, api }) => {
  const { storeId, kitchenId, cheese, piece, calendar } = await house(api, 'Makati', 'MKT');
  const kept = await api.call<Made>('PUT', calendar, rule(0));
  const dates = await api.call<{ dates: { date: string; open: boolean }[] }>(
    'GET',
    `/api/stores/delivery-dates?storeId=${storeId}&sourceType=commissary&sourceId=${kitchenId}`,
  );
  const [first = '', second = ''] = dates.dates.filter((one) => one.open).map(({ date }) => date);
  for (const neededDate of [first, second]) {
    const source = { sourceType: 'commissary', sourceId: kitchenId };
    const lines = [{ productId: cheese.id, uomId: piece.id, qty: 3 }];
    await api.call('POST', '/api/stores/orders', { storeId, ...source, neededDate, lines });
  }
  // From now on orders close two weeks before their truck: both drafts are late.
  await api.call('PUT', calendar, { ...rule(14), revision: kept.revision });
  await open(page, storeId);
  const late = page.getByRole('list', { name: 'Past the cut-off' });
  await expect(late.getByRole('link')).toHaveCount(2);
  await expectAccessible(page);

  await test.step('one moves to the next truck with everything in it', async () => {
    await late.getByRole('link').first().click();
    await expect(page.getByLabel('Cheese: order')).toHaveValue('3');
    await page.getByLabel('Cheese: order').fill('4');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Move to the next truck/ }).click();
    await expect(page.getByRole('button', { name: /^Submit 1 item/ })).toBeVisible();
    await expect(page.getByLabel('Cheese: order')).toHaveValue('4');
    await page.getByRole('button', { name: /^Submit 1 item/ }).click();
    await expect(page.getByText(/^Submitted: SO-/)).toBeVisible();
    const all = await ordersOf(api, storeId);
    expect(all).toHaveLength(2);
    const moved = all.find(({ status }) => status === 'submitted');
    expect(moved && moved.neededDate > second).toBe(true);
    expect(moved?.urgentReason).toBeNull();
  });

  await test.step('the other is asked for as urgent, with the reason', async () => {
    await expect(late.getByRole('link')).toHaveCount(1);
    await late.getByRole('link').click();
    await page.getByRole('button', { name: 'Ask for an urgent order' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask for an urgent order' });
    await expect(dialog.getByRole('button', { name: 'Ask for it' })).toBeDisabled();
    await dialog.getByLabel('Why is it urgent?').fill('A party of forty came');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Ask for it' }).click();
    await expect(page.getByText(/^Submitted: SO-/)).toHaveCount(2);
    await expect(late).toBeHidden();
    const urgent = (await ordersOf(api, storeId)).filter(({ urgentReason }) => urgentReason);
    expect(urgent).toMatchObject([{ status: 'submitted', urgentReason: 'A party of forty came' }]);
  });

  await test.step('the desk and the kitchen see the reason', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const [urgent] = (await ordersOf(api, storeId)).filter(({ urgentReason }) => urgentReason);
    await page.goto(`/stores/orders/${urgent?.id}`);
    await expect(page.getByText('Urgent, asked for after the cut-off: A party of forty came')).toBeVisible();
    await page.getByRole('button', { name: 'Approve order' }).click();
    const status = async () => (await ordersOf(api, storeId)).find(({ id }) => id === urgent?.id)?.status;
    await expect.poll(status).toBe('approved');
    await page.goto(`/commissary/orders?neededDate=${urgent?.neededDate}`);
    await expect(page.getByRole('list', { name: 'Urgent orders' })).toContainText('A party of forty came');
    await expectAccessible(page);
  });
});

test('the desk says what can be done with a draft past its cut-off', async ({ signedIn: page, api }) => {
  const { storeId, kitchenId, cheese, piece, calendar } = await house(api, 'Ermita', 'ERM');
  const kept = await api.call<Made>('PUT', calendar, rule(1));
  const dates = await api.call<{ dates: { date: string; open: boolean }[] }>(
    'GET',
    `/api/stores/delivery-dates?storeId=${storeId}&sourceType=commissary&sourceId=${kitchenId}`,
  );
  const order = await api.call<Order>('POST', '/api/stores/orders', {
    storeId,
    sourceType: 'commissary',
    sourceId: kitchenId,
    neededDate: dates.dates.find((one) => one.open)?.date,
    lines: [{ productId: cheese.id, uomId: piece.id, qty: 3 }],
  });

  await test.step('what was submitted can be withdrawn', async () => {
    await page.goto(`/stores/orders/${order.id}`);
    await page.getByRole('button', { name: 'Submit order' }).click();
    await page.getByRole('button', { name: 'More steps' }).click();
    await page.getByRole('menuitem', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await expect(page.getByRole('button', { name: 'Submit order' })).toBeVisible();
  });

  await test.step('a late draft moves to the next truck', async () => {
    await api.call('PUT', calendar, { ...rule(14), revision: kept.revision });
    await page.reload();
    await expect(page.getByText(/^It is too late to order for/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Submit order' })).toBeHidden();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Move to the next truck/ }).click();
    await expect(page.getByRole('button', { name: /^Move to the next truck/ })).toBeHidden();
    await page.getByRole('button', { name: 'Submit order' }).click();
    await expect.poll(async () => (await ordersOf(api, storeId)).map(({ status }) => status)).toEqual(['submitted']);
  });
});
