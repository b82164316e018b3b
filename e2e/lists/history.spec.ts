// A record's history, restoring, and the full audit trail.

import { expect, expectAccessible, test } from '../support/test.ts';
import type { Made } from './catalogue.ts';
import { drawerOf, row } from './steps.ts';

test('a record has a history, the trail has them all, and versions can be restored', async ({ signedIn: page, api }) => {
  await test.step('history shows changes with author and names, and an earlier version is restored', async () => {
    const [north, south] = await Promise.all(
      ['North Foods', 'South Foods'].map((name) => api.call<Made>('POST', '/api/lists/companies', { name })),
    );
    let kitchen = await api.call<Made>('POST', '/api/lists/commissaries', { name: 'Kitchen', companyId: north?.id });
    kitchen = await api.call<Made>('PATCH', `/api/lists/commissaries/${kitchen.id}`, { companyId: south?.id, city: 'Cebu', revision: kitchen.revision });
    await page.goto(`/lists/commissaries?open=${kitchen.id}&view=history`);
    const drawer = drawerOf(page);
    await expect(drawer.getByText('changed it')).toBeVisible();
    await expect(drawer.locator('li strong').first()).toHaveText('Ana Cruz');
    await expect(drawer.getByText('North Foods').first()).toBeVisible();
    await expect(drawer.getByText('South Foods').first()).toBeVisible();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Restore this version' }).click();
    const dialog = page.getByRole('dialog', { name: /^Restore the version/ });
    await expect(dialog.getByText('South Foods')).toBeVisible();
    await expect(dialog.getByText('Cebu')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await expect(dialog).toBeHidden();
    const now = await api.call<{ companyId: string; city?: string }>('GET', `/api/lists/commissaries/${kitchen.id}`);
    expect(now.companyId).toBe(north?.id);
    expect(now.city ?? null).toBeNull();
    await expect(drawer.locator('li', { hasText: 'Now' }).getByText('North Foods')).toBeVisible();
    await drawer.getByRole('button', { name: 'Details' }).click();
    await expect(drawer.getByLabel('City'), 'the form follows').toHaveValue('');
  });

  await test.step('input stays while the history is open', async () => {
    const made = await api.call<Made>('POST', '/api/lists/warehouses', { name: 'Pasig' });
    await page.goto(`/lists/warehouses?open=${made.id}`);
    const drawer = drawerOf(page);
    await drawer.getByLabel('City').fill('Half typed');
    await drawer.getByRole('button', { name: 'History' }).click();
    await expect(drawer.getByText('created it')).toBeVisible();
    await drawer.getByRole('button', { name: 'Details' }).click();
    await expect(drawer.getByLabel('City')).toHaveValue('Half typed');
  });

  await test.step('the activity shows all records, by type, action and user', async () => {
    const made = await api.call<Made>('POST', '/api/lists/price-levels', { name: 'Franchise' });
    await api.call('PATCH', `/api/lists/price-levels/${made.id}`, { name: 'Franchisee', revision: made.revision });
    await api.call('POST', '/api/lists/food-types', { name: 'Raw' });
    await page.goto('/users/activity?kind=records');
    await expect(page.getByRole('link', { name: 'Raw' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Kind of record' }).or(page.getByLabel('Kind of record')).first().fill('Price');
    await page.getByRole('option', { name: 'Price levels' }).click();
    await expect(page).toHaveURL(/of=priceLevel/);
    await expect(page.getByRole('link', { name: 'Raw' })).toHaveCount(0);
    const changed = page.locator('li', { hasText: 'changed the price level' });
    await changed.getByRole('button', { name: /1 field/ }).click();
    await expect(changed.getByText('Franchise', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await changed.getByRole('link', { name: 'Franchisee' }).click();
    await expect(page).toHaveURL(/price-levels\?open=/);
    await expect(drawerOf(page)).toBeVisible();
    await page.goto('/users/activity?kind=records&action=deleted');
    await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  });

  await test.step('a deleted record is in the trail by name, and is restored from there', async () => {
    const made = await api.call<Made>('POST', '/api/lists/store-formats', { name: 'Pop-up' });
    await page.goto('/lists/store-formats');
    await expect(row(page, 'Pop-up')).toBeVisible();
    await api.call('DELETE', `/api/lists/store-formats/${made.id}`);
    await page.goto('/users/activity?kind=records&of=storeFormat&action=deleted');
    await expect(page.getByText('Pop-up').first()).toBeVisible();
    await page.getByRole('button', { name: 'Bring back Pop-up' }).click();
    await expect(page.getByText('Pop-up is back')).toBeVisible();
    expect((await api.call<Made>('GET', `/api/lists/store-formats/${made.id}`)).id).toBe(made.id);
  });
});
