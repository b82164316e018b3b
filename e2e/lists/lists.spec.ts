// One walk over every list: make, change, take back, find, sort, export, refuse to delete what is used,
// delete, bring back under its id.

import { expect, expectAccessible, test } from '../support/test.ts';
import { baseOf, lists, type Made, prepare } from './catalogue.ts';
import { drawerOf, fill, goTo, namesOf, open, row, undo } from './steps.ts';

for (const list of lists) {
  test(`${list.slug}: made, changed, found, exported, deleted, brought back`, async ({ signedIn: page, api, complaints }) => {
    // Looking for accessibility faults takes its time on a busy machine.
    test.slow();
    await prepare(api, list);
    await goTo(page, list);
    // The empty list and the refusal are the same parts in every list; the table and the form are not.
    const first = list.slug === 'uoms';
    if (first) await expectAccessible(page);

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
    await expectAccessible(page);
    const { items } = await api.call<{ items: Made[] }>('GET', baseOf(list));
    const made = items[0] as Made;
    expect(items).toHaveLength(1);

    // Change its name, and take that back. What a store keeps is named by its root item.
    const renamed = list.choose?.[list.named] ? list.name : `${list.name} 2`;
    if (renamed !== list.name) {
      await open(page, list, list.name);
      await drawer.getByLabel(list.named, { exact: false }).first().fill(renamed);
      await page.keyboard.press('Control+Enter');
      await expect(drawer).toBeHidden();
      if (list.whole) await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible();
      else await expect(row(page, renamed)).toBeVisible();
      // Leaving the page would break off what the click sends.
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

    // What is used says by what, and stays.
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
      if (first) await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
      await api.call('DELETE', `${path}/${user.id}`).catch(() =>
        // Stores have no deletion: the reference goes instead.
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

const emptied = (body: Record<string, unknown>, id: string) =>
  Object.fromEntries(Object.entries(body).flatMap(([name, value]) => (value === id ? [[name, null]] : [])));

test('a list is sorted and filtered, and the address keeps it', async ({ signedIn: page, api }) => {
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

test('the hub counts every list and leads to it', async ({ signedIn: page }) => {
  await page.goto('/lists');
  for (const { slug, heading } of lists.filter(({ page: own }) => !own)) {
    await expect(page.locator(`main a[href="/lists/${slug}"]`)).toHaveText(new RegExp(`^${heading}[0-9,]+$`));
  }
  await expectAccessible(page);
});

test('a change by somebody else leads to a choice, and nothing typed is lost', async ({ signedIn: page, api, complaints }) => {
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
  await expect(drawer.getByLabel('Name', { exact: false }).first()).toHaveValue('Sack by me');
  await page.keyboard.press('Control+Enter');
  await choice.getByRole('button', { name: 'Save this choice' }).click();
  await expect(drawer).toBeHidden();
  const now = await api.call<{ name: string; code: string }>('GET', `/api/lists/uoms/${made.id}`);
  expect(now).toMatchObject({ name: 'Sack by me', code: 'sck' });
  expect(complaints.splice(0), 'the refusals, as the browser tells them').toHaveLength(2);
});
