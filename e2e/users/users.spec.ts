// Users: created with a temporary password, found, changed concurrently, in bulk, and from a file.

import { admit } from '../support/people.ts';
import { expect, expectAccessible, test } from '../support/test.ts';
import { makeRole, makeStore, makeUser, signedInWith, temporaryPassword } from './people.ts';

test('users are found, created, changed and disabled', async ({
  signedIn: page,
  api,
  server,
  browser,
  complaints,
}) => {
  await test.step('a new user gets a temporary password that is shown once', async () => {
    await makeRole(api, 'Cashier', { stores: { storeCount: { view: true, count: true } } });
    const store = await makeStore(api, 'Makati Legazpi', 'MKT01');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/users');
    await expect(page.getByRole('heading', { level: 1, name: 'Manage users' })).toBeVisible();
    await expect(page.getByText('Ana Cruz').first()).toBeVisible();

    await page.keyboard.press('n');
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').fill('Nina Lim');
    await drawer.getByLabel('Email').fill('nina');
    await drawer.getByLabel('Name').focus();
    await expect(drawer.getByText('Enter an address such as name@company.com.')).toBeVisible();
    await drawer.getByLabel('Email').fill('nina@larder.example');
    await drawer.getByRole('combobox', { name: 'Role' }).click();
    await expect(page.getByRole('option', { name: /Cashier.*Works in Stores/ })).toBeVisible();
    await page.getByRole('option', { name: /Cashier/ }).click();
    // A role of a store starts with no store chosen, and is not saved so.
    await expect(drawer.getByRole('switch', { name: 'All stores' })).not.toBeChecked();
    await expect(drawer.getByText('Choose the stores.')).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(drawer.getByRole('combobox', { name: 'Stores' })).toBeFocused();
    await drawer.getByRole('combobox', { name: 'Stores' }).click();
    await page.getByRole('option', { name: /Makati Legazpi/ }).click();
    await drawer.getByText('Temporary password', { exact: true }).click();
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');

    const field = page.getByRole('textbox', { name: 'Temporary password' });
    await expect(field).toBeVisible();
    await expectAccessible(page);
    const password = await field.inputValue();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(page.getByText('Copied to the clipboard.')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('Nina Lim')).toBeVisible();

    const theirs = await browser.newContext();
    const own = await admit(theirs, server.url, 'nina@larder.example', password);
    const me = await own.call<{ user: { storeIds: string[] }; mustChangePassword?: boolean }>(
      'GET',
      '/api/me',
    );
    expect(me.user.storeIds).toEqual([store.id]);
    await theirs.close();
  });

  await test.step('filters are in the URL, and an empty result is explained', async () => {
    const role = await makeRole(api, 'Baker');
    await makeUser(api, 'Bong Reyes', { roleId: role.id });
    await makeUser(api, 'Cleo Reyes');
    await page.goto('/users?q=reyes');
    await expect(page.getByText('Bong Reyes')).toBeVisible();
    await expect(page.getByText('2 people')).toBeVisible();
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Baker' }).click();
    await expect(page).toHaveURL(new RegExp(`role=${role.id}`));
    await expect(page.getByText('Cleo Reyes')).toHaveCount(0);
    await page.reload();
    await expect(page.getByText('1 person', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Disabled', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'No people match “reyes”' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear filter' }).last().click();
    await expect(page.getByText('Ana Cruz').first()).toBeVisible();
  });

  await test.step('two concurrent changes are merged, and disabling asks first', async () => {
    const user = await makeUser(api, 'Dina Ramos');
    await page.goto(`/users?open=${user.id}`);
    const drawer = page.getByRole('dialog', { name: 'Dina Ramos' });
    await drawer.getByLabel('Name').fill('Dina Ramos Cruz');
    await api.call('PATCH', `/api/users/${user.id}`, { revision: user.revision, billable: true });
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('Changed by someone else')).toBeVisible();
    // The browser logs the expected refusal.
    complaints.length = 0;
    await page.getByRole('button', { name: 'Save both' }).click();
    await expect(drawer).toBeHidden();
    const now = await api.call<{ name: string; billable: boolean }>('GET', `/api/users/${user.id}`);
    expect(now).toMatchObject({ name: 'Dina Ramos Cruz', billable: true });

    await page.getByRole('button', { name: 'Actions for Dina Ramos Cruz' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await expect(page.getByText('is signed out everywhere at once')).toBeVisible();
    await page.getByRole('button', { name: 'Disable Dina' }).click();
    await expect(page.getByText('Dina Ramos Cruz disabled')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Actions for Dina Ramos Cruz' })).toHaveCount(0);
  });

  await test.step('a temporary password can be requested again', async () => {
    const user = await makeUser(api, 'Jo Tan', { password: 'temporary' });
    const first = await temporaryPassword(api, user.id);
    await page.goto('/users?q=jo%20tan');
    await page.getByRole('button', { name: 'Actions for Jo Tan' }).click();
    await page.getByRole('menuitem', { name: 'Temporary password' }).click();
    await page.getByRole('button', { name: 'Make a password' }).click();
    const field = page.getByRole('textbox', { name: 'Temporary password' });
    await expect(field).toBeVisible();
    await expect(field).not.toHaveValue(first);
  });

  await test.step('a session is ended remotely, and a reset link is handed over', async () => {
    const role = await makeRole(api, 'Looker', { lists: { allLists: { view: true } } });
    const ed = await signedInWith(browser, server.url, api, 'Ed Santos', {
      roleId: role.id,
      storeIds: [],
    });
    await page.goto(`/users?open=${ed.user.id}&view=access`);
    const drawer = page.getByRole('dialog', { name: 'Ed Santos' });
    await expect(drawer.getByText(/Signed in at \d place/)).toBeVisible();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Sign out everywhere…' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).last().click();
    await expect(drawer.getByText('Ed is not signed in anywhere.')).toBeVisible();
    await expect(ed.api.call('GET', '/api/me')).rejects.toThrow(/401/);

    await drawer.getByRole('button', { name: 'Reset link…' }).click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByRole('textbox', { name: 'Reset link' })).toHaveValue(
      /reset-password\?.*oobCode=/,
    );
    await expectAccessible(page);
    await ed.close();
  });
});

test('many users at once: changed, and imported from a file', async ({ signedIn: page, api }) => {
  await test.step('many are changed at once, each with an outcome', async () => {
    const role = await makeRole(api, 'Night crew');
    await makeUser(api, 'Fe Night');
    await makeUser(api, 'Gus Night');
    await page.goto('/users?q=night');
    await page.getByLabel('Select all rows').check();
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /Night crew/ }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await expect(page.getByText('2 people changed')).toBeVisible();
    const now = await api.call<{ total: number }>('GET', `/api/users?roleId=${role.id}`);
    expect(now.total).toBe(2);

    await page.goto('/users?sort=-createdAt');
    await page.getByLabel('Select Ana Cruz').check();
    await page.getByLabel('Select Gus Night').check();
    await page
      .getByRole('region', { name: 'Selection' })
      .getByRole('button', { name: 'Disable' })
      .click();
    await page.getByRole('button', { name: 'Disable 2 people' }).click();
    await expect(page.getByText('1 changed, 1 refused')).toBeVisible();
    await expect(page.getByText('Ana Cruz is the last active super admin.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a file is previewed row by row before the import', async () => {
    await makeRole(api, 'Steward');
    await page.goto('/users');
    await page.getByRole('button', { name: 'Import' }).click();
    await expectAccessible(page);
    const file = [
      'email,name,role,stores,status,billable',
      'hal@larder.example,Hal Uy,Steward,all,Active,no',
      'ivy@larder.example,Ivy Uy,Stewerd,all,Active,no',
    ].join('\r\n');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await expect(
      page.getByText('1 new, 0 to change, 0 unchanged, 1 failed.', { exact: false }),
    ).toBeVisible();
    await expect(page.getByText('There is no role «Stewerd».')).toBeVisible();
    await expectAccessible(page);
    expect((await api.call<{ total: number }>('GET', '/api/users?q=hal@')).total).toBe(0);

    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await expect(page.getByText('1 added, 0 changed, 0 unchanged, 1 failed.')).toBeVisible();
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download failed rows' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('people-failed.csv');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('Hal Uy')).toBeVisible();
  });
});
