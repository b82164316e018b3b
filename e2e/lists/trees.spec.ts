// Trees are reordered by mouse, touch and keyboard.

import { admit } from '../support/people.ts';
import { admin } from '../support/server.ts';
import { expect, expectAccessible, test } from '../support/test.ts';
import type { Made } from './catalogue.ts';
import { namesOf, row } from './steps.ts';

/** Three categories, side by side. */
async function plant(api: import('../support/test.ts').Api): Promise<void> {
  const { items } = await api.call<{ items: Made[] }>('GET', '/api/lists/categories?pageSize=all');
  for (const { id } of [...items].reverse()) await api.call('DELETE', `/api/lists/categories/${id}`).catch(() => undefined);
  for (const { id } of items) await api.call('DELETE', `/api/lists/categories/${id}`).catch(() => undefined);
  for (const name of ['Apples', 'Bread', 'Cheese']) await api.call('POST', '/api/lists/categories', { name });
}

/** «Apples > Bread»: the names with their depth. */
async function outline(page: import('@playwright/test').Page, api: import('../support/test.ts').Api): Promise<string[]> {
  const { items } = await api.call<{ items: (Made & { name: string; parentId?: string })[] }>('GET', '/api/lists/categories?pageSize=all');
  const depth = (id: string | undefined): number => {
    const found = items.find((item) => item.id === id);
    return found ? 1 + depth(found.parentId) : 0;
  };
  const names = await namesOf(page);
  return names.map((name) => {
    const item = items.find((one) => one.name === name.trim());
    return '>'.repeat(depth(item?.parentId)) + name.trim();
  });
}

test('a tree is reordered by keyboard, by mouse, and reverted on refusal', async ({ signedIn: page, api, complaints }) => {
  test.slow();
  await test.step('by keyboard: down, in, out, and back with Ctrl+Z', async () => {
    await plant(api);
    await page.goto('/lists/categories');
    await expect(row(page, 'Apples')).toBeVisible();
    await page.keyboard.press('j');
    await expect(row(page, 'Apples')).toBeFocused();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => outline(page, api)).toEqual(['Bread', 'Apples', 'Cheese']);
    await expect(row(page, 'Apples'), 'the keyboard stays with it').toBeFocused();
    await page.keyboard.press('Alt+ArrowRight');
    await expect.poll(() => outline(page, api)).toEqual(['Bread', '>Apples', 'Cheese']);
    await expect(row(page, 'Apples')).toBeFocused();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(() => outline(page, api)).toEqual(['Bread', 'Apples', 'Cheese']);
    await page.reload();
    await expect.poll(() => outline(page, api), 'it stays so').toEqual(['Bread', 'Apples', 'Cheese']);
    await row(page, 'Apples').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => outline(page, api)).toEqual(['Apples', 'Bread', 'Cheese']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => outline(page, api)).toEqual(['Bread', 'Apples', 'Cheese']);
  });

  await test.step('by mouse: in, between, and cancelled with Escape', async () => {
    await plant(api);
    await page.goto('/lists/categories');
    await expect(row(page, 'Cheese')).toBeVisible();
    await drag(page, 'Cheese', 'Apples', 0.5);
    await expect.poll(() => outline(page, api)).toEqual(['Apples', '>Cheese', 'Bread']);
    await drag(page, 'Bread', 'Apples', 0.1);
    await expect.poll(() => outline(page, api)).toEqual(['Bread', 'Apples', '>Cheese']);
    // It cannot go below itself, and Escape cancels: nothing happens.
    await drag(page, 'Apples', 'Cheese', 0.5);
    await drag(page, 'Apples', 'Bread', 0.5, true);
    await page.waitForTimeout(300);
    expect(await outline(page, api)).toEqual(['Bread', 'Apples', '>Cheese']);
    await expectAccessible(page);
  });

  await test.step('a refused move is reverted with the reason', async () => {
    await plant(api);
    await page.goto('/lists/categories');
    await expect(row(page, 'Cheese')).toBeVisible();
    await page.route('**/move', (route) =>
      route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify({ detail: 'Not there, please.', code: 'invalid' }) }),
    );
    await drag(page, 'Cheese', 'Apples', 0.5);
    await expect(page.getByText('Not there, please.')).toBeVisible();
    await expect.poll(() => outline(page, api)).toEqual(['Apples', 'Bread', 'Cheese']);
    expect(complaints.splice(0)).toEqual([expect.stringContaining('422')]);
  });
});

async function drag(page: import('@playwright/test').Page, name: string, over: string, share: number, escape = false): Promise<void> {
  await row(page, name).hover();
  const from = await row(page, name).getByLabel(`Drag to move ${name}`).boundingBox();
  const to = await row(page, over).boundingBox();
  if (!from || !to) throw new Error('no row');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + 240, to.y + to.height * share, { steps: 6 });
  if (escape) await page.keyboard.press('Escape');
  await page.mouse.up();
}

test('by touch on a phone', async ({ browser, server, api }) => {
  await plant(api);
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const own = await admit(context, server.url, admin.email, admin.password);
  const page = await context.newPage();
  await page.goto('/lists/categories');
  await expect(row(page, 'Cheese')).toBeVisible();
  const from = await page.getByLabel('Drag to move Cheese').boundingBox();
  const to = await row(page, 'Apples').boundingBox();
  if (!from || !to) throw new Error('no row');
  expect(Math.min(from.width, from.height), 'large enough for a finger').toBeGreaterThanOrEqual(44);
  const touch = await context.newCDPSession(page);
  const at = (x: number, y: number) => [{ x, y }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from.x + 20, from.y + 20) });
  for (let i = 1; i <= 6; i += 1) {
    const y = from.y + 20 + ((to.y + to.height / 2 - from.y - 20) * i) / 6;
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(from.x + 60, y) });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect
    .poll(async () => {
      const { items } = await own.call<{ items: { name: string; parentId?: string; id: string }[] }>('GET', '/api/lists/categories?pageSize=all');
      return items.find(({ name }) => name === 'Cheese')?.parentId === items.find(({ name }) => name === 'Apples')?.id;
    })
    .toBe(true);
  await context.close();
});
