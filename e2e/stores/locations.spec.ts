// Stores: the list of active ones, the page of one with every field.

import { expect, test } from '../support/test.ts';

test('a store is opened, filled in and closed', async ({ signedIn: page, api }) => {
  const store = await api.call<{ id: string }>('POST', '/api/stores/locations', { name: 'Makati Legazpi', code: 'MKT01' });
  await page.goto('/stores/locations');
  await expect(page.getByRole('heading', { level: 1, name: 'Locations' })).toBeVisible();
  await page.getByText('Makati Legazpi', { exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/stores/locations/${store.id}`));
  await expect(page.getByRole('heading', { level: 1, name: 'Makati Legazpi' })).toBeVisible();

  const found = await api.call<{ revision: number }>('GET', `/api/stores/locations/${store.id}`);
  await api.call('PATCH', `/api/stores/locations/${store.id}`, { inactive: true, revision: found.revision });
  await page.goto('/stores/locations');
  await expect(page.getByText('Makati Legazpi', { exact: true })).toHaveCount(0);
  await page.getByText('All', { exact: true }).click();
  await expect(page.getByText('Makati Legazpi', { exact: true }).first()).toBeVisible();
});
