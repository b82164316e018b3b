// Common list operations: create, change, undo, find, sort, export, refuse to delete a used record, delete, restore
// under its id. The API's tests cover the server side of every list, over HTTP.

import type { Page } from '@playwright/test';
import { DESK, expectFine, PHONE } from '../support/looks.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';
import { walkTo } from '../support/walk.ts';
import { baseOf, type Listed, lists, type Made, pageOf, prepare } from './catalogue.ts';
import { drawerOf, fill, goTo, namesOf, open, row, undo } from './steps.ts';

/** One of each kind: plain, a tree, with money, on a page of its own, with many fields, of a store, elsewhere. */
const KINDS = ['uoms', 'categories', 'root-items', 'companies', 'suppliers', 'store-root-items', 'chart-of-accounts'];

/** Creates a record with the form. */
async function make(page: Page, api: Api, list: Listed): Promise<Made> {
  await prepare(api, list);
  await goTo(page, list);
  // The empty state is the same in every list; the form is not.
  if (list.slug === 'uoms') await expectAccessible(page);
  await page.keyboard.press('n');
  const drawer = drawerOf(page);
  await expect(drawer).toBeVisible();
  await expectAccessible(page);
  await fill(page, list);
  await page.keyboard.press('Control+Enter');
  await expect(drawer).toBeHidden();
  if (list.whole) {
    await expect(page.getByRole('heading', { level: 1, name: list.name })).toBeVisible();
    await goTo(page, list);
  }
  await expect(row(page, list.name)).toBeVisible();
  const { items } = await api.call<{ items: Made[] }>('GET', baseOf(list));
  expect(items).toHaveLength(1);
  return items[0] as Made;
}

/** Its form fits a phone. */
async function lookAtPhone(page: Page, list: Listed, { id }: Made): Promise<void> {
  await page.setViewportSize(PHONE);
  await walkTo(page, `${list.whole ? `${pageOf(list)}/${id}` : pageOf(list)}?open=${id}`);
  await expect(drawerOf(page)).toBeVisible();
  await expectFine(page, `${list.slug}-form`);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.setViewportSize(DESK);
}

test('a record of each kind is created, changed, found, exported, deleted and restored', async ({ signedIn: page, api, complaints }) => {
  test.setTimeout(600_000);
  for (const list of lists.filter(({ slug }) => KINDS.includes(slug))) {
    await test.step(list.slug, async () => {
      // Reloaded, so that no «Undo» of the previous list remains.
      await page.goto('about:blank');
      const made = await make(page, api, list);
      await lookAtPhone(page, list, made);
      await goTo(page, list);
      const drawer = drawerOf(page);

      // Change its name, and undo. A store root item is named by its root item.
      const renamed = list.choose?.[list.named] ? list.name : `${list.name} 2`;
      if (renamed !== list.name) {
        await open(page, list, list.name);
        await drawer.getByLabel(list.named, { exact: false }).first().fill(renamed);
        await page.keyboard.press('Control+Enter');
        await expect(drawer).toBeHidden();
        if (list.whole) await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible();
        else await expect(row(page, renamed)).toBeVisible();
        // Leaving the page would abort the click's request.
        const undone = page.waitForResponse((answer) => answer.url().endsWith('/undo'));
        await undo(page);
        expect((await undone).ok()).toBe(true);
        await goTo(page, list);
        await expect(row(page, list.name)).toBeVisible();
      }

      await goTo(page, list, '?q=no-such-thing');
      await expect(page.getByRole('heading', { name: /match/ })).toBeVisible();
      await expect(row(page, list.name)).toHaveCount(0);
      await page.getByRole('button', { name: 'Clear filter' }).last().click();
      await expect(row(page, list.name)).toBeVisible();

      for (const format of ['csv', 'xlsx']) {
        const file = await page.request.get(`${baseOf(list)}/export?format=${format}`);
        expect(file.status(), format).toBe(200);
        if (format === 'csv' && !list.choose?.[list.named]) expect(await file.text()).toContain(list.name);
      }

      // A used record names its uses, and stays.
      if (list.use) {
        const { path, body } = list.use(made.id);
        const user = await api.call<Made>('POST', path, body);
        await page.reload();
        await open(page, list, list.name);
        await drawer.getByRole('button', { name: /^Used by/ }).click();
        await expect(drawer.getByText(String(body.name), { exact: true })).toBeVisible();
        await drawer.getByRole('button', { name: 'Details' }).click();
        await drawer.getByRole('button', { name: 'Delete', exact: true }).click();
        await expect(page.getByRole('dialog', { name: /can't be deleted/ })).toBeVisible();
        expect(complaints.splice(0), 'the refusal, as the browser tells it').toEqual([expect.stringContaining('409')]);
        if (list.slug === 'uoms') await expectAccessible(page);
        await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
        await api.call('DELETE', `${path}/${user.id}`).catch(() =>
          // Stores cannot be deleted: the reference is removed instead.
          api.call('PATCH', `${path}/${user.id}`, { ...emptied(body, made.id), revision: user.revision }),
        );
      }

      await goTo(page, list);
      await open(page, list, list.name);
      await drawer.getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(drawer).toBeHidden();
      await expect(row(page, list.name)).toHaveCount(0);
      await undo(page);
      await expect(row(page, list.name)).toBeVisible();
      const back = await api.call<Made>('GET', `${baseOf(list)}/${made.id}`);
      expect(back.id, 'it is the same record').toBe(made.id);
    });
  }
});

test('every other list has a form that creates its records, on desktop and phone', async ({ signedIn: page, api }) => {
  test.setTimeout(600_000);
  for (const list of lists.filter(({ slug }) => !KINDS.includes(slug))) {
    await test.step(list.slug, async () => lookAtPhone(page, list, await make(page, api, list)));
  }
});

const emptied = (body: Record<string, unknown>, id: string) =>
  Object.fromEntries(Object.entries(body).flatMap(([name, value]) => (value === id ? [[name, null]] : [])));

test('lists are sorted and filtered, counted in the hub, and no input is lost', async ({ signedIn: page, api, complaints }) => {
  await test.step('a list is sorted and filtered, and the URL keeps it', async () => {
    for (const [name, city] of [
      ['Cebu Foods', 'Cebu'],
      ['Alabang Foods', 'Manila'],
      ['Batangas Foods', 'Batangas'],
    ]) {
      await api.call('POST', '/api/lists/suppliers', { name, city });
    }
    await page.goto('/lists/suppliers?q=foods');
    await expect.poll(() => namesOf(page)).toEqual(['Alabang Foods', 'Batangas Foods', 'Cebu Foods']);
    await page.getByRole('columnheader', { name: 'Supplier' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'Supplier' }).getByRole('button').click();
    await expect.poll(() => namesOf(page)).toEqual(['Cebu Foods', 'Batangas Foods', 'Alabang Foods']);
    await expect(page).toHaveURL(/sort=-name/);
    await page.reload();
    await expect.poll(() => namesOf(page)).toEqual(['Cebu Foods', 'Batangas Foods', 'Alabang Foods']);
  });

  await test.step('the hub counts every list and links to it', async () => {
    await page.goto('/lists');
    for (const { slug, heading } of lists.filter(({ page: own }) => !own)) {
      await expect(page.locator(`main a[href="/lists/${slug}"]`)).toHaveText(new RegExp(`^${heading}[0-9,]+$`));
    }
  });

  await test.step('a concurrent change leads to a choice, and no input is lost', async () => {
    const made = await api.call<Made>('POST', '/api/lists/uoms', { name: 'Sack', code: 'sk' });
    await page.goto('/lists/uoms');
    await page.getByText('Sack', { exact: true }).click();
    const drawer = drawerOf(page);
    await drawer.getByLabel('Name', { exact: false }).first().fill('Sack by me');
    await api.call('PATCH', `/api/lists/uoms/${made.id}`, { name: 'Sack by her', code: 'sck', revision: made.revision });
    await page.keyboard.press('Control+Enter');
    const choice = page.getByRole('dialog', { name: 'Changed by someone else' });
    await expect(choice.getByText(/This record was changed by/)).toBeVisible();
    await expect(choice.getByText('Sack by her')).toBeVisible();
    await expect(choice.getByText('Sack by me')).toBeVisible();
    await expect(choice.getByText('sck'), 'what only the other changed is shown too').toBeVisible();
    await expectAccessible(page);
    await choice.getByRole('button', { name: 'Keep typing' }).click();
    // Its keys are its own until it is gone.
    await expect(choice).toBeHidden();
    await expect(drawer.getByLabel('Name', { exact: false }).first()).toHaveValue('Sack by me');
    await page.keyboard.press('Control+Enter');
    await choice.getByRole('button', { name: 'Save this choice' }).click();
    await expect(drawer).toBeHidden();
    const now = await api.call<{ name: string; code: string }>('GET', `/api/lists/uoms/${made.id}`);
    expect(now).toMatchObject({ name: 'Sack by me', code: 'sck' });
    expect(complaints.splice(0), 'the refusals, as the browser tells them').toHaveLength(2);
  });
});
