// Roles: every permission in one table, and changes that reach signed-in users at once.

import { expect, expectAccessible, test } from '../support/test.ts';
import { makeRole, signedInWith } from './people.ts';

test('a role is created, merged with another user’s change, and reaches signed-in users', async ({ signedIn: page, api, complaints, server, browser }) => {
  await test.step('a role is created, and permissions include the view', async () => {
    await page.goto('/users/roles');
    await expect(page.getByRole('heading', { level: 1, name: 'Manage users' })).toBeVisible();
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Name' }).fill('Planner');
    await page.getByRole('checkbox', { name: 'Edit Products, Products' }).check();
    await expect(page.getByRole('checkbox', { name: 'View Products, Products' })).toBeChecked();
    await page.getByRole('checkbox', { name: 'Everything in Reports' }).check();
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Planner' })).toBeVisible();
    const { items } = await api.call<{ items: { name: string; permissions: object }[] }>('GET', '/api/roles');
    expect(items.find(({ name }) => name === 'Planner')?.permissions).toEqual({
      products: { products: { edit: true, view: true } },
      reports: { reports: { create: true, delete: true, edit: true, export: true, view: true } },
      // Permissions without an app would have no effect.
      apps: { backOffice: { view: true } },
    });
    await page.getByRole('checkbox', { name: /^View Back office/ }).uncheck();
    await expect(page.getByText(/^Open the Back office app is missing/)).toBeVisible();
    await page.getByRole('button', { name: 'Add it' }).click();
    await expect(page.getByText(/is missing/)).toHaveCount(0);

    await page.getByRole('textbox', { name: 'Filter rights' }).fill('z-reading');
    await expect(page.getByRole('checkbox', { name: 'Edit Products, Products' })).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'View Z-readings, Sales' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('checkbox', { name: 'Create Z-readings, Sales' })).toBeFocused();
    await page.keyboard.press('Space');
    await expect(page.getByText('2 rights added, nobody has it yet')).toBeVisible();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect(page.getByText('2 rights added')).toHaveCount(0);
  });

  await test.step('two editors of a role are merged permission by permission', async () => {
    const role = await makeRole(api, 'Receiver', { stores: { storeReceive: { view: true } } });
    await page.goto(`/users/roles?open=${role.id}`);
    await page.getByRole('checkbox', { name: 'Post Receiving, Stores' }).check();
    await api.call('PATCH', `/api/roles/${role.id}`, {
      revision: role.revision,
      permissions: { stores: { storeReceive: { view: true }, storeList: { view: true } } },
    });
    await page.getByRole('button', { name: 'Save role' }).click();
    await expect(page.getByText('Changed by someone else')).toBeVisible();
    // The browser logs the expected refusal.
    complaints.length = 0;
    await page.getByRole('button', { name: 'Save both' }).click();
    await expect(page.getByText('Role saved')).toBeVisible();
    const now = await api.call<{ permissions: object }>('GET', `/api/roles/${role.id}`);
    expect(now.permissions).toEqual({
      stores: { storeReceive: { view: true, post: true }, storeList: { view: true } },
      apps: { backOffice: { view: true } },
    });
  });

  await test.step('a change reaches signed-in users at once', async () => {
    const role = await makeRole(api, 'List keeper', { lists: { allLists: { view: true, edit: true } } });
    const kim = await signedInWith(browser, server.url, api, 'Kim Cruz', { roleId: role.id });
    await kim.page.goto('/lists/uoms');
    await expect(kim.page.getByRole('heading', { level: 1, name: 'Units of measure' })).toBeVisible();

    await page.goto(`/users/roles?open=${role.id}`);
    await expect(page.getByRole('link', { name: 'Kim Cruz' })).toBeVisible();
    await page.getByRole('checkbox', { name: 'View All lists, Lists' }).uncheck();
    await page.getByRole('checkbox', { name: 'View Reports, Reports' }).check();
    await expect(page.getByText('2 rights added, 2 removed, affects 1 person at once')).toBeVisible();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page.getByText('Edit All lists').first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save role' }).click();
    await expect(page.getByText('Role saved')).toBeVisible();
    await expect(kim.page.getByRole('heading', { name: 'Not Authorized' })).toBeVisible();
    await kim.close();
  });
});

test('no user grants a permission they do not hold', async ({ api, server, browser }) => {
  const lead = await makeRole(api, 'Team lead', {
    manageUsers: { users: { view: true, create: true, edit: true } },
    lists: { allLists: { view: true } },
  });
  const above = await makeRole(api, 'Reader', { reports: { reports: { view: true } } });
  const own = await makeRole(api, 'Lister', { lists: { allLists: { view: true } } });
  const lou = await signedInWith(browser, server.url, api, 'Lou Garcia', { roleId: lead.id });
  // A role with more permissions than the user's is shown, with the reason why it is read-only.
  await lou.page.goto(`/users/roles?open=${above.id}`);
  await expect(lou.page.getByText(/^«Reader» has rights you don't have/)).toBeVisible();
  await expect(lou.page.getByRole('checkbox', { name: 'View Reports, Reports' })).toBeDisabled();
  await expect(lou.page.getByRole('textbox', { name: 'Name' })).toHaveAttribute('readonly');
  await expect(lou.page.getByRole('switch', { name: /^Needs two-step sign-in/ })).toBeDisabled();
  await expectAccessible(lou.page);
  await lou.page.goto(`/users/roles?open=${own.id}`);
  await expect(lou.page.getByRole('checkbox', { name: /^Edit Reports, Reports\. You do not hold/ })).toBeDisabled();
  await lou.page.getByRole('checkbox', { name: 'Edit Users and roles, Manage users' }).check();
  await expectAccessible(lou.page);
  await lou.page.getByRole('button', { name: 'Save role' }).click();
  await expect(lou.page.getByText('Role saved')).toBeVisible();
  await lou.close();
});
