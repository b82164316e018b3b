// Root item movement by store, and its weekly snapshot: from a figure to its document, from a week to its freeze.

import { expect, test } from '../support/test.ts';

const DAY = 86_400_000;
/** A business day relative to today. */
const day = (ahead: number): string =>
  new Date(Date.now() + 8 * 3_600_000 + ahead * DAY).toISOString().slice(0, 10);

/** The Monday of the week before this one. */
function lastMonday(): string {
  const today = new Date(`${day(0)}T00:00:00Z`);
  return day(-((today.getUTCDay() + 6) % 7) - 7);
}

test('a figure leads to its document, a week is created, frozen and compared', async ({
  signedIn: page,
  api,
}) => {
  const made = async (path: string, body: object) =>
    (await api.call<{ id: string }>('POST', path, body)).id;
  const store = await made('/api/stores/locations', { name: 'Quiapo', code: 'QPO' });
  const supplier = await made('/api/lists/suppliers', { name: 'Rice Traders' });
  const kilo = await made('/api/lists/uoms', { name: 'Kilogram', code: 'kg' });
  const rice = await made('/api/lists/root-items', { name: 'Rice', price: 50 });
  await made('/api/lists/store-inventory-items', {
    name: 'Rice, loose',
    rootItemId: rice,
    uomId: kilo,
  });
  const product = await made('/api/products', {
    name: 'Jasmine rice',
    sku: 'RIC',
    baseUom: kilo,
    defaultSellingUom: kilo,
    rootItemConversions: [{ rootItemId: rice, factor: 1 }],
  });
  type Saved = { id: string; revision: number };
  const draft = await api.call<Saved>('POST', '/api/stores/receive', {
    storeId: store,
    sourceType: 'supplier',
    sourceId: supplier,
    lines: [{ productId: product, uomId: kilo, received: 25 }],
  });
  await api.call('POST', `/api/stores/receive/${draft.id}/post`, { revision: draft.revision });

  await page.goto(`/reports/root-item-movement-by-store?from=${day(-6)}&to=${day(0)}`);
  await expect(
    page.getByRole('heading', { name: 'Root item movement by store', level: 1 }),
  ).toBeVisible();
  const table = page.getByRole('grid', { name: 'Root items by store' });
  const row = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Rice' }) });
  const drawer = page.getByRole('dialog', { name: 'Rice' });
  await test.step('received goods open their receipt', async () => {
    await row.getByText('25', { exact: true }).first().click();
    await expect(drawer).toContainText('Received: what it is made of');
    await expect(drawer.getByRole('link', { name: /^Receipt GR-/ })).toBeVisible();
    await drawer.getByRole('button', { name: 'Waste' }).click();
    await expect(drawer).toContainText('Nothing behind this figure');
    await drawer.getByRole('button', { name: 'Show everything' }).click();
    await drawer.getByRole('link', { name: /^Receipt GR-/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('GR-');
    await page.goBack();
    await expect(drawer).toContainText('Quiapo');
    await page.keyboard.press('Escape');
  });
  await test.step('by day there is a row per day', async () => {
    await page.getByRole('button', { name: 'By day' }).click();
    await expect(page.getByRole('grid', { name: 'Root items by store and day' })).toBeVisible();
  });
  await test.step('the file has the rows shown', async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    const href = await page.getByRole('menuitem', { name: 'Download CSV' }).getAttribute('href');
    expect(await (await page.request.get(href ?? '')).text()).toContain('Quiapo,');
    await page.keyboard.press('Escape');
  });

  const monday = lastMonday();
  await test.step('a week is created and frozen', async () => {
    await page.goto(`/tools/root-item-weekly-snapshot?year=${monday.slice(0, 4)}&week=${monday}`);
    const week = page.getByRole('dialog');
    await week.getByRole('button', { name: 'Make', exact: true }).click();
    await expect(week.getByText('Open', { exact: true })).toBeVisible();
    await expect(page.getByText(/1 store\./)).toBeVisible();
    await week.getByRole('button', { name: 'Freeze' }).click();
    await expect(week.getByText('Frozen', { exact: true }).first()).toBeVisible();
  });
  await test.step('current figures are shown beside it, and it does not change', async () => {
    const week = page.getByRole('dialog');
    await week.getByRole('button', { name: 'Compare with now' }).click();
    await expect(week).toContainText('Nothing differs from what was frozen.');
    const dialog = page.getByRole('dialog', { name: /^Open .* again$/ });
    await week.getByRole('button', { name: 'Open again' }).click();
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Open again' }).click();
    await expect(dialog).toContainText('Say why the week is opened again.');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Sales came late');
    await dialog.getByRole('button', { name: 'Open again' }).click();
    await expect(week.getByText('Open', { exact: true })).toBeVisible();
  });
});
