// The frame of every page: rail, top bar, search, menus, guards.

import { browserOf, enter, makePerson, makeRole, type Rights, signIn } from './support/people.ts';
import { admin, Server } from './support/server.ts';
import { expect, expectAccessible, test } from './support/test.ts';

// As in a real browser: with the service worker, which starts the console offline, and with animations.
test.use({ serviceWorkers: 'allow', contextOptions: { reducedMotion: 'no-preference' } });

test('unknown URLs lead home, and the frame is complete', async ({ signedIn: page }) => {
  await test.step('unknown URLs lead home, or to the app they begin with', async () => {
    for (const [path, home] of [
      ['/nowhere', '/'],
      ['/lists/nothing', '/'],
      ['/branch-ops/x', '/branch-ops'],
      ['/branch-ops/x/y?z=1', '/branch-ops'],
      ['/store-count/x', '/store-count'],
      ['/branch-opsx', '/'],
    ] as const) {
      await page.goto(path);
      await expect(page).toHaveURL(home);
    }
  });

  await test.step('super admins are told once that emails are not sent', async () => {
    await page.goto('/lists');
    const notice = page.getByText(/No mail server is set up/);
    await expect(notice).toBeVisible();
    await expectAccessible(page);
    // On a phone it takes one line.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(notice).toHaveText('No mail server is set up');
    expect((await notice.boundingBox())?.height).toBeLessThan(24);
    await page.setViewportSize({ width: 1440, height: 900 });
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/api/me/notices/mailOutbox'));
    await page.getByRole('button', { name: 'Put this notice away' }).click();
    await expect(notice).toHaveCount(0);
    expect((await kept).status()).toBe(204);
    // It is dismissed for the user, not for this tab.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'All lists' })).toBeVisible();
    await expect(notice).toHaveCount(0);
  });

  await test.step('the rail opens a menu on hover and closes it after', async () => {
    await page.goto('/lists');
    const rail = page.getByRole('navigation').first();
    await rail.getByText('Reports', { exact: true }).hover();
    const item = page.getByRole('menuitem', { name: 'Standard' }).or(page.getByRole('link', { name: 'Standard' }));
    await expect(item.first()).toBeVisible();
    await page.mouse.move(900, 700);
    await expect(item.first()).toBeHidden();
  });

  await test.step('on a phone the rail opens as an overlay, and one entry of it is current', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/stores/receive');
    const rail = page.getByRole('navigation', { name: 'Sections' });
    await rail.getByRole('button', { name: 'Stores' }).click();
    const entries = rail.getByRole('link');
    await expect(entries.filter({ hasText: 'Store transactions' })).toBeInViewport();
    await expect(rail.locator('[aria-current]')).toHaveText(['Orders']);
    await expectAccessible(page);
    await entries.filter({ hasText: 'Store transactions' }).click();
    await expect(page).toHaveURL('/stores/transactions');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('menus have the entries of the specification, with and without links', async () => {
    await page.goto('/lists');
    await page.getByRole('button', { name: /settings/i }).click();
    await expect(page.getByRole('menuitem', { name: 'All lists' }).or(page.getByRole('link', { name: 'All lists' })).first()).toBeVisible();
    await expect(page.getByText('Custom form styles')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /new/i }).first().click();
    await expect(page.getByText('Receive Delivery')).toBeVisible();
  });
});

test.describe('the apps', () => {
  const rights = (...apps: string[]): Rights => ({
    apps: Object.fromEntries(apps.map((app) => [app, { view: true }])),
    stores: { storeCount: { view: true } },
  });

  test('apps can be chosen; with one there is no choice, with none a hint whom to ask', async ({ signedIn: page, api, browser, baseURL }) => {
    await test.step('are chosen, and on a phone show the user and upcoming functions', async () => {
      await api.call('POST', '/api/stores/locations', { name: 'Ayala North', code: 'AYN' });
      await api.call('POST', '/api/stores/locations', { name: 'Cubao', code: 'CUB' });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto('/');
      await expect(page.getByRole('heading', { name: 'Where to, Ana?' })).toBeVisible();
      await page.getByRole('link', { name: /Branch operations/ }).click();
      await expect(page).toHaveURL('/branch-ops');
      await expect(page.getByRole('heading', { name: admin.name })).toBeVisible();
      const works = ['Today', 'Count', 'Order', 'Receive', 'Waste', 'Transfer', 'Z-reading photo', 'Sales today'];
      for (const work of works) await expect(page.getByText(work, { exact: true })).toBeVisible();
      await page.getByLabel('Store').selectOption('Cubao (CUB)');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
      await page.reload();
      await expect(page.getByLabel('Store').locator('option:checked')).toHaveText('Cubao (CUB)');
      await page.getByRole('button', { name: 'Switch app' }).click();
      await expect(page).toHaveURL('/');
      await page.getByRole('link', { name: /Store count/ }).click();
      await expect(page).toHaveURL('/store-count');
      // The URL changes before the page.
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    });

    await test.step('with one of them there is no choice, with none a hint whom to ask', async () => {
      const [one, none] = [await makeRole(api, rights('storeCount')), await makeRole(api, {})];
      const counter = await makePerson(api, 'Cora', one.id);
      const newcomer = await makePerson(api, 'Nina', none.id);
      const { context, page } = await browserOf(browser, baseURL ?? '');
      await enter(page, counter.email);
      await expect(page).toHaveURL('/store-count');
      await expect(page.getByRole('button', { name: 'Switch app' })).toHaveCount(0);
      await page.goto('/branch-ops');
      await expect(page.getByText('Not Authorized')).toBeVisible();
      await context.clearCookies();
      await enter(page, newcomer.email);
      await expect(page.getByText(/includes no app. Contact your administrator./)).toBeVisible();
      await expectAccessible(page);
      await context.close();
    });
  });
});

test.describe('other users’ changes show at once', () => {
  const lists: Rights = { apps: { backOffice: { view: true } }, lists: { allLists: { view: true, create: true } } };

  test('revoked permissions close the page, and a disabled user is out', async ({ browser, baseURL, api }) => {
    await test.step('revoked permissions close the open page and grey out the menus', async () => {
      const role = await makeRole(api, lists);
      const person = await makePerson(api, 'Rico', role.id);
      const { context, page } = await browserOf(browser, baseURL ?? '');
      await enter(page, person.email);
      await page.goto('/lists/uoms');
      await expect(page.getByRole('heading', { level: 1, name: 'Units of measure' })).toBeVisible();
      await api.call('PATCH', `/api/roles/${role.id}`, {
        permissions: { apps: { backOffice: { view: true } } },
        revision: role.revision,
      });
      await expect(page.getByText('Not Authorized')).toBeVisible();
      await page.getByRole('button', { name: 'Settings' }).click();
      await expect(page.getByRole('link', { name: 'All lists' })).toHaveCount(0);
      await context.close();
    });

    await test.step('a disabled user is out', async () => {
      const role = await makeRole(api, lists);
      const person = await makePerson(api, 'Tina', role.id);
      const { context, page } = await browserOf(browser, baseURL ?? '');
      await enter(page, person.email);
      await page.goto('/lists/uoms');
      await expect(page.getByRole('heading', { level: 1, name: 'Units of measure' })).toBeVisible();
      const { revision } = await api.call<{ revision: number }>('GET', `/api/users/${person.id}`);
      await api.call('PATCH', `/api/users/${person.id}`, { status: 'Disabled', revision });
      await expect(page).toHaveURL('/login');
      await expect(page.getByText('You were signed out.')).toBeVisible();
      await context.close();
    });
  });

  test('tabs sign out and in together, and share one event stream', async ({ browser, baseURL }) => {
    await test.step('signing out in one tab signs out the others, and signing in signs in', async () => {
      const { context, page } = await browserOf(browser, baseURL ?? '');
      await enter(page, admin.email, admin.password);
      const other = await context.newPage();
      await other.goto('/lists/uoms');
      await expect(other.getByRole('heading', { level: 1, name: 'Units of measure' })).toBeVisible();
      await page.goto('/lists');
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByText('Sign out').click();
      await expect(page).toHaveURL('/login');
      await expect(other).toHaveURL('/login');
      await expect(other.getByText('You were signed out.')).toBeVisible();
      await signIn(page, admin.email, admin.password);
      // The same user continues where they were.
      await expect(other).toHaveURL('/lists/uoms');
      await expect(other.getByRole('heading', { level: 1, name: 'Units of measure' })).toBeVisible();
      await context.close();
    });

    await test.step('many tabs share one event stream', async () => {
      const { context, page } = await browserOf(browser, baseURL ?? '');
      let streams = 0;
      context.on('request', (request) => {
        if (request.url().endsWith('/api/live')) streams += 1;
      });
      await enter(page, admin.email, admin.password);
      // More than the six connections a browser allows per origin.
      const tabs = [page];
      for (let i = 0; i < 7; i++) {
        const tab = await context.newPage();
        await tab.goto('/lists/uoms');
        await expect(tab.getByRole('heading', { level: 1, name: 'Units of measure' })).toBeVisible();
        tabs.push(tab);
      }
      expect(streams).toBe(1);
      // When the tab with the stream closes, another takes over.
      await tabs.shift()?.close();
      await expect.poll(() => streams).toBe(2);
      await tabs[0]?.evaluate(async () => {
        await fetch('/api/lists/uoms', {
          method: 'POST',
          headers: { 'x-larder': '1', 'content-type': 'application/json' },
          body: JSON.stringify({ name: `Seen everywhere`, code: 'se' }),
        });
      });
      for (const tab of tabs) await expect(tab.getByText('Seen everywhere').first()).toBeVisible();
      await context.close();
    });
  });
});

test('a session that ends while typing keeps the input for that user alone', async ({ browser, baseURL, api }) => {
  await test.step('a session that ends while typing keeps the input', async () => {
    const { context, page } = await browserOf(browser, baseURL ?? '');
    await enter(page, admin.email, admin.password);
    await page.goto('/lists/uoms');
    await page.getByRole('button', { name: /New unit of measure|^New unit/ }).first().click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('Half a tray');
    await page.getByRole('dialog').getByLabel('Code').fill('ht');
    await context.clearCookies();
    await page.getByRole('button', { name: /^Save/ }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('You were signed out.')).toBeVisible();
    await expect(name).toBeHidden();
    await expectAccessible(page);
    await page.getByLabel('Email').fill(admin.email);
    await page.locator('input[name=password]').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(name).toHaveValue('Half a tray');
    await expect(page).toHaveURL(/\/lists\/uoms/);
    await page.getByRole('button', { name: /^Save/ }).click();
    await expect(page.getByText('Half a tray').first()).toBeVisible();
    await context.close();
  });

  await test.step('another user who signs in there finds nothing of it', async () => {
    await api.call('POST', '/api/lists/uoms', { name: 'Only for some', code: 'ofs' });
    const role = await makeRole(api, { apps: { storeCount: { view: true } } });
    const person = await makePerson(api, 'Vito', role.id);
    const { context, page } = await browserOf(browser, baseURL ?? '');
    await enter(page, admin.email, admin.password);
    await page.goto('/lists/uoms');
    await expect(page.getByText('Only for some').first()).toBeVisible();
    await page.getByRole('button', { name: /New unit of measure|^New unit/ }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Half a tray');
    await context.clearCookies();
    await page.getByRole('dialog').getByLabel('Code').fill('h2');
    await page.getByRole('button', { name: /^Save/ }).click();
    await expect(page).toHaveURL('/login');
    await page.getByLabel('Email').fill(person.email);
    await page.locator('input[name=password]').fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL('/store-count');
    expect(await page.content()).not.toMatch(/Half a tray|Only for some/);
    await context.close();
  });
});

test('a stopped server is noticed quietly, and its return too', async ({ browser }) => {
  const server = await Server.start();
  const { context, page } = await browserOf(browser, server.url);
  await enter(page, admin.email, admin.password);
  await page.goto('/lists/uoms');
  await expect(page.getByRole('heading', { level: 1, name: 'Units of measure' })).toBeVisible();
  await server.kill();
  await expect(page.getByText('Reconnecting…')).toHaveCount(0);
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await expectAccessible(page);
  await server.serve();
  await expect(page.getByText('Reconnecting…')).toHaveCount(0, { timeout: 35_000 });
  await context.close();
  await server.stop();
});
