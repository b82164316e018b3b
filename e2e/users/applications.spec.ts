// Applications: approved with a role and the requested store, or rejected with a reason; and their audit trail.

import { expect, expectAccessible, test } from '../support/test.ts';
import { makeRole, makeStore } from './people.ts';

test('an application is approved, another rejected, and both are in the trail', async ({ signedIn: page, api }) => {
  // Other tests may have left pending applications.
  const { items } = await api.call<{ items: { id: string; revision: number }[] }>('GET', '/api/applications?state=pending');
  for (const { id, revision } of items) {
    await api.call('POST', `/api/applications/${id}/reject`, { note: '', revision });
  }
  await makeRole(api, 'Crew', { stores: { storeCount: { view: true } } });
  const store = await makeStore(api, 'Cebu IT Park', 'CEB01');
  for (const [name, email] of [
    ['Mia Sy', 'mia@larder.example'],
    ['Noel Sy', 'noel@larder.example'],
  ]) {
    await api.call('POST', '/api/apply', {
      name,
      email,
      mobile: '0917 123 4567',
      position: 'Cashier',
      store: 'Cebu IT Park',
      reason: 'I start on Monday.',
    });
  }
  await page.goto('/users/applications');
  await expect(page.getByRole('link', { name: /Applications 2 waiting/ })).toBeVisible();
  await page.getByRole('button', { name: 'Mia Sy', exact: true }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('Cebu IT Park is the store named in the application.')).toBeVisible();
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Approve and send link' }).click();
  await expect(drawer.getByText('Choose a role.')).toBeVisible();
  await drawer.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: /Crew/ }).click();
  await drawer.getByRole('button', { name: 'Approve and send link' }).click();
  await expect(page.getByText('Mia Sy approved')).toBeVisible();
  await expect(drawer).toBeHidden();
  const found = await api.call<{ items: { roleName: string; storeIds: string[] }[] }>('GET', '/api/users?q=mia');
  expect(found.items[0]).toMatchObject({ roleName: 'Crew', storeIds: [store.id] });

  await page.getByRole('button', { name: 'Actions for Noel Sy' }).click();
  await page.getByRole('menuitem', { name: 'Reject…' }).click();
  await drawer.getByRole('textbox', { name: 'Reason' }).fill('Not known to the store.');
  await drawer.getByRole('button', { name: 'Reject application' }).click();
  await expect(page.getByText('Noel Sy rejected')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Nobody is waiting' })).toBeVisible();
  await page.getByRole('button', { name: /^Rejected \d+$/ }).click();
  await page.getByRole('button', { name: 'Noel Sy', exact: true }).click();
  await expect(drawer.getByText('Not known to the store.')).toBeVisible();

  await page.goto('/users/activity');
  await expect(page.getByText('changed the application').first()).toBeVisible();
  await expect(page.getByText('added the user').first()).toBeVisible();
  await page.getByRole('button', { name: 'Sign-ins' }).click();
  await expect(page.getByText('Signed in').first()).toBeVisible();
});
