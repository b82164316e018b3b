// Other users' changes appear at once, marked, without moving the current user's work.

import type { Browser, Page } from '@playwright/test';
import { browserOf, enter, makePerson, makeRole } from '../support/people.ts';
import { type Api, expect, test } from '../support/test.ts';

interface Made {
  id: string;
  name: string;
  revision: number;
}

const PATH = '/api/lists/food-types';

async function make(api: Api, names: readonly string[]): Promise<Made[]> {
  const made: Made[] = [];
  for (const name of names) made.push(await api.call<Made>('POST', PATH, { name }));
  return made;
}

async function rename(api: Api, record: Made, name: string): Promise<Made> {
  return api.call<Made>('PATCH', `${PATH}/${record.id}`, { name, revision: record.revision });
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** A second user in another browser, with the list open. */
async function watcher(browser: Browser, url: string, api: Api, address: string) {
  const role = await makeRole(api, {
    apps: { backOffice: { view: true } },
    lists: { allLists: { view: true, create: true, edit: true, delete: true } },
  });
  const person = await makePerson(api, 'Lina', role.id);
  const { context, page } = await browserOf(browser, url);
  await enter(page, person.email);
  await page.goto(address);
  return { context, page };
}

test('other users’ changes show at once, and nothing typed or viewed moves', async ({ browser, baseURL, api }) => {
  await test.step('another user’s change shows without reload and is marked for a moment', async () => {
    const [first] = await make(api, ['Live apple']);
    const { context, page } = await watcher(browser, baseURL ?? '', api, '/lists/food-types');
    await expect(rowOf(page, 'Live apple')).toBeVisible();
    if (!first) throw new Error('nothing made');
    const changed = await rename(api, first, 'Live apricot');
    const row = rowOf(page, 'Live apricot');
    await expect(row).toBeVisible();
    await expect(row).toHaveAttribute('data-fresh', 'true');
    await expect(row).not.toHaveAttribute('data-fresh', 'true');
    await make(api, ['Live avocado']);
    await expect(rowOf(page, 'Live avocado')).toBeVisible();
    await api.call('DELETE', `${PATH}/${changed.id}`);
    await expect(rowOf(page, 'Live apricot')).toHaveCount(0);
    await context.close();
  });

  await test.step('selection, keyboard and scroll stay with their records', async () => {
    const names = Array.from({ length: 80 }, (_, i) => `Row ${String(i + 10)}`);
    await make(api, names);
    const { context, page } = await watcher(browser, baseURL ?? '', api, '/lists/food-types?q=Row');
    await expect(rowOf(page, 'Row 10')).toBeVisible();
    const place = page.locator('table[aria-label]').locator('..');
    await place.evaluate((element) => {
      element.scrollTop = 36 * 40;
    });
    const looked = rowOf(page, 'Row 58');
    await expect(looked).toBeVisible();
    await looked.getByRole('checkbox').check();
    await looked.focus();
    const before = await looked.boundingBox();
    // Three are inserted above: the rows below keep their position on the screen.
    await make(api, ['Row 01', 'Row 02', 'Row 03']);
    await expect(page.getByText('83 food types')).toBeVisible();
    await expect.poll(async () => Math.round((await looked.boundingBox())?.y ?? 0)).toBe(Math.round(before?.y ?? 0));
    await expect(looked.getByRole('checkbox')).toBeChecked();
    await expect(page.getByText('1 selected')).toBeVisible();
    await expect(looked).toBeFocused();
    await page.keyboard.press('j');
    await expect(rowOf(page, 'Row 59')).toBeFocused();
    await context.close();
  });

  await test.step('input stays, and rows change places only afterwards', async () => {
    const [apple, , cherry] = await make(api, ['Hold a', 'Hold b', 'Hold c']);
    if (!apple || !cherry) throw new Error('nothing made');
    const { context, page } = await watcher(browser, baseURL ?? '', api, '/lists/food-types?q=Hold');
    await page.getByRole('button', { name: 'Hold b', exact: true }).click();
    const drawer = page.getByRole('dialog');
    const name = drawer.getByLabel('Name', { exact: false }).first();
    await name.fill('Hold b, typed');
    const order = () => page.locator('tr[data-key]').allInnerTexts();
    const shows = async (...wanted: string[]) =>
      expect.poll(async () => (await order()).map((text) => text.trim().split(/\s{2,}|\t|\n/)[0])).toEqual(wanted);
    await shows('Hold a', 'Hold b', 'Hold c');
    // «Hold c» would move to the top, and a new one in between; both wait.
    await rename(api, cherry, 'Hold 0');
    await make(api, ['Hold aa']);
    await shows('Hold a', 'Hold b', 'Hold 0');
    await expect(name).toHaveValue('Hold b, typed');
    await page.keyboard.press('Control+Enter');
    await expect(drawer).toBeHidden();
    await shows('Hold 0', 'Hold a', 'Hold aa', 'Hold b, typed');
    await context.close();
  });

  await test.step('a record deleted by another user while being edited stays readable', async () => {
    const [gone] = await make(api, ['Soon gone']);
    const { context, page } = await watcher(browser, baseURL ?? '', api, '/lists/food-types?q=Soon');
    await page.getByRole('button', { name: 'Soon gone', exact: true }).click();
    const name = page.getByRole('dialog').getByLabel('Name', { exact: false }).first();
    await name.fill('Soon gone, but typed');
    await api.call('DELETE', `${PATH}/${gone?.id}`);
    await page.waitForTimeout(800);
    await expect(name).toHaveValue('Soon gone, but typed');
    await context.close();
  });
});
