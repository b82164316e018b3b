// A company's page: facts, permits and registrations, and their expiry.

import { addDays, today } from '../../web/src/ui/dates.ts';
import { readFileSync } from 'node:fs';
import { expect, expectAccessible, test } from '../support/test.ts';
import type { Made } from './catalogue.ts';

const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

/** A day relative to today, in store time. */
const inDays = (n: number) => addDays(today(), n);

test('a company has documents, refuses invalid ones, and can be deleted', async ({ signedIn: page, api, complaints }) => {
  await test.step('documents are added, changed, downloaded and deleted', async () => {
    const company = await api.call<Made>('POST', '/api/lists/companies', {
      name: 'Larder Foods',
      email: 'hello@larder.example',
      website: 'https://larder.example/about',
      phone: '+63 2 8123 4567',
    });
    await page.goto('/lists/companies');
    await page.getByRole('link', { name: 'Larder Foods' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Larder Foods' })).toBeVisible();
    const site = page.getByRole('link', { name: /larder\.example\/about/ });
    await expect(site).toHaveAttribute('rel', /noopener/);
    await expect(page.getByText('No documents yet')).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Add document' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add document' }).click();
    await expect(dialog.getByText('Choose the file first.')).toBeVisible();
    await dialog.locator('input[type=file]').setInputFiles({ name: 'virus.exe', mimeType: 'application/octet-stream', buffer: pdf });
    await expect(dialog.getByText(/Choose a PDF or a picture/)).toBeVisible();
    await dialog.locator('input[type=file]').setInputFiles({ name: 'Permit 2026.pdf', mimeType: 'application/pdf', buffer: pdf });
    await expect(dialog.getByLabel('Title')).toHaveValue('Permit 2026');
    await dialog.getByLabel('Number').fill('MP-1');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add document' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('No. MP-1')).toBeVisible();

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download Permit 2026' }).click();
    expect(readFileSync(await (await download).path()).equals(pdf)).toBe(true);

    const [document] = await api.call<(Made & { expires?: string })[]>('GET', `/api/lists/companies/${company.id}/documents`);
    const path = `/api/lists/companies/${company.id}/documents/${document?.id}`;
    const expires = async (on: string) => {
      const [now] = await api.call<Made[]>('GET', `/api/lists/companies/${company.id}/documents`);
      await api.call('PATCH', path, { expires: on, revision: now?.revision });
      await page.reload();
    };
    await expires(inDays(12));
    await expect(page.getByText('Expires in 12 days')).toBeVisible();
    await expires(inDays(-1));
    await expect(page.getByText('Expired', { exact: true })).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Edit Permit 2026' }).click();
    await dialog.getByLabel('Title').fill('Mayor’s permit 2026');
    await dialog.getByRole('button', { name: 'Save document' }).click();
    await expect(page.getByText('Mayor’s permit 2026')).toBeVisible();

    await page.getByRole('button', { name: 'Delete Mayor’s permit 2026' }).click();
    await expect(dialog.getByText(/can’t be undone/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep document' }).click();
    await page.getByRole('button', { name: 'Delete Mayor’s permit 2026' }).click();
    await dialog.getByRole('button', { name: 'Delete document' }).click();
    await expect(page.getByText('No documents yet')).toBeVisible();
  });

  await test.step('an invalid document is refused with a reason, and the form stays', async () => {
    const company = await api.call<Made>('POST', '/api/lists/companies', { name: 'North Kitchens' });
    await page.goto(`/lists/companies/${company.id}`);
    await page.getByRole('button', { name: 'Add document' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles({ name: 'page.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html><script>alert(1)</script></html>') });
    await dialog.getByLabel('Number').fill('N-7');
    await dialog.getByRole('button', { name: 'Add document' }).click();
    await expect(dialog.getByRole('alert').first()).toBeVisible();
    await expect(dialog.getByLabel('Number')).toHaveValue('N-7');
    expect(complaints.splice(0)).toHaveLength(1);
  });

  await test.step('a deletion announced before its response requests nothing deleted', async () => {
    const company = await api.call<Made>('POST', '/api/lists/companies', { name: 'Soon gone' });
    await page.goto(`/lists/companies/${company.id}?open=${company.id}`);
    await page.route(`**/api/lists/companies/${company.id}`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      const answer = await route.fetch();
      // Long enough for the event, and for requests it triggers.
      await new Promise((over) => setTimeout(over, 500));
      await route.fulfill({ response: answer });
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Companies' })).toBeVisible();
    await expect(page.getByText('Company deleted')).toBeVisible();
  });
});

test('a recipe computes its cost while typing', async ({ signedIn: page, api }) => {
  for (const [name, price] of [
    ['Flour', 50],
    ['Salt', 20.33],
    ['Yeast', null],
  ] as const) {
    await api.call('POST', '/api/lists/root-items', { name, price, production: true });
  }
  await page.goto('/lists/recipes?open=new');
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name', { exact: false }).first().fill('Bread');
  await drawer.getByRole('textbox', { name: 'Yield', exact: true }).fill('3');
  for (const [i, [name, qty]] of [
    ['Flour', '2,5'],
    ['Salt', '0.5'],
    ['Yeast', '1'],
  ].entries()) {
    await drawer.getByRole('button', { name: 'Add root item' }).click();
    await drawer.getByLabel(`Root item, line ${i + 1}`).first().fill(name ?? '');
    await page.getByRole('option', { name, exact: true }).click();
    await drawer.getByLabel(`Quantity, line ${i + 1}`).fill(qty ?? '');
  }
  const cost = drawer.getByRole('region', { name: 'Cost' });
  await expect(cost.getByText('₱135.17')).toBeVisible();
  await expect(cost.getByText('₱45.06')).toBeVisible();
  await expect(cost.getByText(/without a price: Yeast/)).toBeVisible();
  await expect(page.getByRole('option'), 'the last list of choices is put away').toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await expect(drawer).toBeHidden();
  await expect(page.getByText('135.17 *')).toBeVisible();
});
