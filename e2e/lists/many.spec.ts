// Bulk operations: merge, change, uses.

import { expect, expectAccessible, test } from '../support/test.ts';
import type { Made } from './catalogue.ts';
import { choose, namesOf, row, undo } from './steps.ts';

test('duplicates are merged, and a used record offers to be merged', async ({ signedIn: page, api, complaints }) => {
  await test.step('duplicates become one, with the values and uses of both', async () => {
    const stays = await api.call<Made>('POST', '/api/lists/companies', { name: 'Larder Foods', city: 'Makati' });
    const goes = await api.call<Made>('POST', '/api/lists/companies', { name: 'Larder Foods Inc', tin: '001-002' });
    const kitchen = await api.call<Made>('POST', '/api/lists/commissaries', { name: 'Kitchen', companyId: goes.id });
    await page.goto('/lists/companies');
    await page.getByLabel('Select Larder Foods', { exact: true }).check();
    await page.getByLabel('Select Larder Foods Inc', { exact: true }).check();
    await page.getByRole('button', { name: 'Merge…' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('1 Commissaries')).toBeVisible();
    await expect(dialog.getByRole('radio', { name: '001-002' }), 'what the one that stays lacks is taken').toBeChecked();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Merge companies' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/2 companies merged; 1 commissaries moved/i)).toBeVisible();
    await expect.poll(() => namesOf(page)).toEqual(['Larder Foods']);
    expect(await api.call('GET', `/api/lists/companies/${stays.id}`)).toMatchObject({ tin: '001-002', city: 'Makati' });
    expect(await api.call('GET', `/api/lists/commissaries/${kitchen.id}`)).toMatchObject({ companyId: stays.id });
  });

  await test.step('a used record offers to be merged into another', async () => {
    const [a, b] = await Promise.all(
      ['Dry', 'Dry goods'].map((name) => api.call<Made>('POST', '/api/lists/storage-requirements', { name })),
    );
    const product = await api.call<Made>('POST', '/api/products', {
      name: 'Rice',
      type: 'Non-inventory',
      storageRequirement: a?.id,
    });
    await page.goto('/lists/storage-requirements');
    await page.getByLabel('Actions for Dry', { exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete storage requirement' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Merge into another…' }).click();
    await choose(page, dialog, 'Merge with which storage requirement?', 'Dry goods');
    await expect(dialog.getByRole('radio', { name: 'Dry goods' }).first()).toBeChecked();
    await dialog.getByRole('button', { name: 'Merge storage requirements' }).click();
    await expect(dialog).toBeHidden();
    await expect.poll(() => namesOf(page)).toEqual(['Dry goods']);
    expect(await api.call('GET', `/api/products/${product.id}`)).toMatchObject({ storageRequirement: b?.id });
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
  });

  await test.step('uses of rows are counted on demand', async () => {
    const kg = await api.call<Made>('POST', '/api/lists/uoms', { name: 'Kilogram', code: 'kg' });
    await api.call('POST', '/api/lists/uoms', { name: 'Piece', code: 'pc' });
    await api.call('POST', '/api/lists/recipes', { name: 'Soup', yieldQty: 1, yieldUomId: kg.id });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/uses?')) asked.push(request.url());
    });
    await page.goto('/lists/uoms');
    await expect(row(page, 'Kilogram')).toBeVisible();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Used by').check();
    await page.keyboard.press('Escape');
    await expect(row(page, 'Kilogram').getByText('1', { exact: true })).toBeVisible();
    await expect(row(page, 'Piece').getByText('Not used')).toBeVisible();
    expect(asked, 'one question for all rows in sight').toHaveLength(1);
  });
});

test('many records are changed at once, and Ctrl+Z undoes', async ({ signedIn: page, api }) => {
  await test.step('many are changed at once; each failure is explained; undo reverts it', async () => {
    const made: Made[] = [];
    for (const name of ['Alpha', 'Beta', 'Gamma']) {
      made.push(await api.call<Made>('POST', '/api/lists/suppliers', { name, paymentTerms: 'COD' }));
    }
    await page.goto('/lists/suppliers');
    await page.getByLabel('Select all rows').check();
    await page.getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog');
    await choose(page, dialog, 'Field to set', 'Payment terms');
    await dialog.getByRole('textbox', { name: 'Payment terms' }).or(dialog.getByRole('combobox', { name: 'Payment terms' })).first().fill('Net 30');
    await page.keyboard.press('Tab');
    await expectAccessible(page);
    // Another user changes one of them first.
    const gamma = made[2] as Made;
    await api.call('PATCH', `/api/lists/suppliers/${gamma.id}`, { city: 'Cebu', revision: gamma.revision });
    await dialog.getByRole('button', { name: 'Change 3 suppliers' }).click();
    await expect(dialog.getByText('2 changed, 1 stayed as it was.')).toBeVisible();
    await expect(dialog.getByText('Gamma', { exact: true })).toBeVisible();
    await expect(dialog.getByText(/changed by/)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const terms = async () => {
      const { items } = await api.call<{ items: { paymentTerms: string }[] }>('GET', '/api/lists/suppliers');
      return items.map(({ paymentTerms }) => paymentTerms);
    };
    expect(await terms()).toEqual(['Net 30', 'Net 30', 'COD']);
    await undo(page);
    await expect.poll(terms).toEqual(['COD', 'COD', 'COD']);
  });

  await test.step('Ctrl+Z undoes the last change, one per press', async () => {
    for (const name of ['First', 'Second']) await api.call('POST', '/api/lists/food-types', { name });
    await page.goto('/lists/food-types');
    for (const name of ['First', 'Second']) {
      await row(page, name).getByText(name, { exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(row(page, name)).toHaveCount(0);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await page.keyboard.press('Control+z');
    await expect.poll(() => namesOf(page)).toEqual(['Second']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => namesOf(page)).toEqual(['First', 'Second']);
  });
});
