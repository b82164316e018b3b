// One walk over every list: make, find, change, delete, bring back; refuse to delete what is used.

import { expect, expectAccessible, test } from '../support/test.ts';

const lists = [
  { slug: 'uoms', heading: 'Units of measure', one: 'unit of measure', fields: { Name: 'Kilogram', Code: 'kg' } },
  { slug: 'categories', heading: 'Categories', fields: { Name: 'Chilled' } },
  { slug: 'food-types', heading: 'Food types', fields: { Name: 'Cooked' } },
  { slug: 'product-types', heading: 'Product types', fields: { Name: 'Finished' } },
  { slug: 'storage-requirements', heading: 'Storage requirements', fields: { Name: 'Frozen' } },
  { slug: 'price-levels', heading: 'Price levels', fields: { Name: 'Standard' } },
  { slug: 'store-formats', heading: 'Store formats', fields: { Name: 'Kiosk' } },
  { slug: 'regional-areas', heading: 'Regional areas', fields: { Name: 'North' } },
  { slug: 'operational-areas', heading: 'Operational areas', fields: { Name: 'Area 1' } },
  { slug: 'root-items', heading: 'Root items', fields: { Name: 'Jasmine rice' } },
  { slug: 'pos-items', heading: 'POS items', fields: { Description: 'Rice bowl' } },
] as const;

for (const { slug, heading, fields } of lists) {
  test(`${slug}: made, found, changed, deleted, brought back`, async ({ signedIn: page }) => {
    const [first] = Object.values(fields);
    await page.goto(`/lists/${slug}`);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expectAccessible(page);

    await page.keyboard.press('n');
    const drawer = page.getByRole('dialog');
    await expect(drawer).toBeVisible();
    await expectAccessible(page);
    for (const [label, value] of Object.entries(fields)) {
      await drawer.getByLabel(label, { exact: false }).first().fill(value);
    }
    await page.keyboard.press('Control+Enter');
    await expect(drawer).toBeHidden();
    const row = page.getByText(first, { exact: true }).first();
    await expect(row).toBeVisible();
    await expectAccessible(page);

    await page.reload();
    await row.click();
    await expect(drawer).toBeVisible();
    const [label] = Object.keys(fields);
    await drawer.getByLabel(label ?? 'Name', { exact: false }).first().fill(`${first} 2`);
    await page.keyboard.press('Control+Enter');
    await expect(drawer).toBeHidden();
    await expect(page.getByText(`${first} 2`, { exact: true }).first()).toBeVisible();

    await page.goto(`/lists/${slug}?q=no-such-thing`);
    await expect(page.getByText(`${first} 2`, { exact: true })).toHaveCount(0);

    await page.goto(`/lists/${slug}`);
    const renamed = page.getByText(`${first} 2`, { exact: true });
    await renamed.first().click();
    await drawer.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(renamed).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(renamed.first()).toBeVisible();
  });
}

test('a change by somebody else leads to a choice, and nothing typed is lost', async ({ signedIn: page, api, complaints }) => {
  const made = await api.call<{ id: string; revision: number }>('POST', '/api/lists/food-types', { name: 'Stewed' });
  await page.goto('/lists/food-types');
  await page.getByText('Stewed', { exact: true }).click();
  const drawer = page.getByRole('dialog').first();
  await drawer.getByLabel('Name', { exact: false }).first().fill('Stewed by me');
  await api.call('PATCH', `/api/lists/food-types/${made.id}`, { name: 'Stewed by her', revision: made.revision });
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(/This record was changed by/)).toBeVisible();
  await expect(page.getByText('Stewed by her').first()).toBeVisible();
  await expect(page.getByText('Stewed by me').or(page.locator('input[value="Stewed by me"]')).first()).toBeVisible();
  expect(complaints.splice(0), 'the refusal, as the browser tells it').toEqual([expect.stringContaining('409')]);
});

test('what is in use says by what, and stays', async ({ api }) => {
  const parent = await api.call<{ id: string }>('POST', '/api/lists/categories', { name: 'Parent' });
  await api.call('POST', '/api/lists/categories', { name: 'Child', parentId: parent.id });
  await expect(api.call('DELETE', `/api/lists/categories/${parent.id}`)).rejects.toThrow(/409.*inUse|inUse.*409/s);
});
