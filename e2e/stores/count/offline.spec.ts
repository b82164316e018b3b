// Counting offline: no input is lost, regardless of what happens to the page or the browser.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { whole } from '../../support/browser.ts';
import { atTestTime } from '../../support/clock.ts';
import { address, badge, count, entriesOf, field, finishedBy, makeCounted, readyForOffline, row } from '../../support/counts.ts';
import { admit, browserOf, enter, makePerson, makeRole } from '../../support/people.ts';
import { admin, Server } from '../../support/server.ts';
import { expect, expectAccessible, test } from '../../support/test.ts';
import { walkTo } from '../../support/walk.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow', launchOptions: whole });
// Each has its own server, and slow ones share the processors.
test.describe.configure({ mode: 'parallel' });

/** The phone of a signed-in user who has opened the store's count once. */
async function phone(browser: Browser, url: string, path: string, who = admin.email, secret = admin.password) {
  const { context, page } = await browserOf(browser, url);
  await page.setViewportSize({ width: 390, height: 844 });
  await admit(context, url, who, secret);
  await page.goto(path);
  await expect(row(page, 'Beef shank')).toBeVisible();
  await readyForOffline(page);
  return { context, page };
}

/** A separate server and store; the server can be switched off. */
async function world(browser: Browser) {
  const server = await Server.start();
  const context = await browser.newContext({ baseURL: server.url });
  const api = await admit(context, server.url, admin.email, admin.password);
  const counted = await makeCounted(api);
  return { server, api, ...counted, end: () => context.close().then(() => server.stop()) };
}

const offline = async (context: BrowserContext, server: Server) => {
  await server.kill();
  await context.setOffline(true);
};
const online = async (context: BrowserContext, server: Server) => {
  await server.serve();
  await context.setOffline(false);
};

for (const path of ['/store-count', '/stores/count'] as const) {
  test(`${path} opens, counts and reloads offline`, async ({ browser }) => {
    const { server, api, storeId, items, end } = await world(browser);
    const { context, page } = await phone(browser, server.url, address(path, storeId));
    await offline(context, server);
    await page.reload();
    await expect(page.getByText(/No connection. What you count is saved on this device/)).toBeVisible();
    await expectAccessible(page);
    await count(page, 'Beef shank', '7');
    await count(page, 'Red onion', '8');
    await expect(badge(page)).toHaveText(/Saved on this device.*2 waiting to send/);
    await page.reload();
    await expect(row(page, 'Beef shank')).toContainText('7');
    await expect(badge(page)).toHaveText(/Saved on this device.*2 waiting to send/);
    const synced = page.evaluate(
      () => new Promise((done) => addEventListener('storeCount:synced', (event) => done((event as CustomEvent).detail))),
    );
    await online(context, server);
    await expect(badge(page)).toHaveText(/^Sent/, { timeout: 35_000 });
    expect(await synced).toMatchObject({ sent: 2, held: 0 });
    const sent = await entriesOf(api, storeId);
    expect([sent[items['Beef shank'] ?? '']?.qty, sent[items['Red onion'] ?? '']?.qty]).toEqual([7, 8]);
    await expect(page.getByText(/No connection/)).toHaveCount(0);
    await context.close();
    await end();
  });
}

test('finishing offline is sent later, and a refusal is not retried', async ({ browser, signedIn: page, api, complaints }) => {
  await test.step('a count finished offline is sent later, from any page', async () => {
    const { server, api, storeId, items, end } = await world(browser);
    const other = await makeCounted(api);
    const { context, page } = await phone(browser, server.url, address('/store-count', storeId));
    await offline(context, server);
    await count(page, 'Beef shank', '7');
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('button', { name: 'Finish without 5 items' }).click();
    const here = page.getByText('Finished on this device. It is sent together with the counts.');
    await expect(here).toBeVisible();
    await expectAccessible(page);
    // It survives the page, and belongs to this session alone.
    await page.reload();
    await expect(here).toBeVisible();
    await page.getByRole('button', { name: 'Closing' }).click();
    await expect(page.getByRole('button', { name: 'Closing' })).toHaveAttribute('aria-pressed', 'true');
    await expect(here).toHaveCount(0);
    await walkTo(page, address('/store-count', other.storeId));
    await online(context, server);
    await expect.poll(() => finishedBy(api, storeId), { timeout: 35_000 }).toBe('Ana Cruz');
    expect(await finishedBy(api, other.storeId)).toBeNull();
    expect((await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty).toBe(7);
    await walkTo(page, address('/store-count', storeId));
    await expect(page.getByText(/Finished by Ana Cruz/)).toBeVisible();
    await expect(here).toHaveCount(0);
    await context.close();
    await end();
  });

  await test.step('finishing is refused with a message, and not retried afterwards', async () => {
    const { storeId } = await makeCounted(api);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(address('/store-count', storeId));
    await count(page, 'Beef shank', '7');
    const title = 'Only a manager may finish today.';
    await page.route('**/api/stores/count/finish', (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', json: { status: 403, code: 'forbidden', title } }),
    );
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('button', { name: 'Finish without 5 items' }).click();
    await expect(page.getByRole('alert').getByText(title)).toBeVisible();
    await page.getByRole('button', { name: 'Keep counting' }).click();
    await page.unroute('**/api/stores/count/finish');
    await page.reload();
    await expect(row(page, 'Beef shank')).toContainText('7');
    await expect(page.getByText(/Finished/)).toHaveCount(0);
    expect(await finishedBy(api, storeId)).toBeNull();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('403')]);
  });
});

test('the first opening keeps its responses, even if the device is slow to remember the user', async ({ browser }) => {
  const { server, storeId, end } = await world(browser);
  const { context, page } = await browserOf(browser, server.url);
  await admit(context, server.url, admin.email, admin.password);
  // A database that reports only after the list is shown that there was no previous user.
  await page.addInitScript(() => {
    const get = IDBObjectStore.prototype.get;
    IDBObjectStore.prototype.get = function (key) {
      const asked = get.call(this, key);
      if (key === 'identity') {
        Object.defineProperty(asked, 'onsuccess', {
          set: (hear: (event: Event) => void) =>
            asked.addEventListener('success', (event) => setTimeout(hear, 2_000, event)),
        });
      }
      return asked;
    };
  });
  await page.goto(address('/store-count', storeId));
  await expect(row(page, 'Beef shank')).toBeVisible();
  await readyForOffline(page);
  await page.waitForTimeout(2_500);
  await offline(context, server);
  await page.reload();
  await expect(row(page, 'Beef shank')).toBeVisible();
  await context.close();
  await end();
});

/** Waits until the rest of the console is on the device: it is loaded in idle time. */
const wholeConsoleKept = (page: Page) =>
  page.waitForFunction(async () => {
    const name = (await caches.keys()).find((key) => key.startsWith('larder-shell-'));
    const listed = (await (await fetch('/sw.js')).text()).match(/\/assets\/[\w.-]+/g) ?? [];
    const kept = name ? (await (await caches.open(name)).keys()).length : 0;
    return listed.length > 20 && kept > new Set(listed).size;
  });

test('other pages say offline that they need a connection, even those whose code is missing', async ({ browser }) => {
  await test.step('other pages say offline that they need a connection', async () => {
    const { server, storeId, end } = await world(browser);
    const { context, page } = await phone(browser, server.url, address('/stores/count', storeId));
    await wholeConsoleKept(page);
    await offline(context, server);
    await page.goto('/lists');
    await expect(page.getByText('This page needs a connection')).toBeVisible();
    await page.getByRole('link', { name: 'Store count' }).click();
    await expect(row(page, 'Beef shank')).toBeVisible();
    await context.close();
    await end();
  });

  await test.step('a page whose code was not loaded in time says so, too', async () => {
    const { server, storeId, end } = await world(browser);
    const { context, page } = await phone(browser, server.url, address('/stores/count', storeId));
    await wholeConsoleKept(page);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.clearBrowserCache');
    // Code that was not loaded in time.
    await page.evaluate(async () => {
      const needed = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          const { pathname } = new URL(request.url);
          if (pathname.startsWith('/assets/page-') && !needed.includes(pathname)) await cache.delete(request);
        }
      }
    });
    await offline(context, server);
    await page.goto('/lists');
    await expect(page.getByText('This page needs a connection')).toBeVisible();
    await page.getByRole('link', { name: 'Store count' }).click();
    await expect(row(page, 'Beef shank')).toBeVisible();
    await context.close();
    await end();
  });
});

test('saved counts survive the browser', async ({ browser }) => {
  const { server, api, storeId, items, end } = await world(browser);
  const folder = mkdtempSync(join(tmpdir(), 'larder-profile-'));
  const open = async () =>
    atTestTime(await chromium.launchPersistentContext(folder, { ...whole, baseURL: server.url, viewport: { width: 390, height: 844 } }));
  const context = await open();
  const page = context.pages()[0] ?? (await context.newPage());
  await enter(page, admin.email, admin.password);
  await page.goto(address('/store-count', storeId));
  await expect(row(page, 'Beef shank')).toBeVisible();
  await readyForOffline(page);
  await offline(context, server);
  await count(page, 'Beef shank', '41');
  await expect(page.getByText(/Beef shank: 41.*saved on this device/)).toBeVisible();
  // Chromium persists cookies only every half minute; without them it asks to sign in and then sends.
  const cookies = await context.cookies();
  kill(folder);
  await context.close().catch(() => {});

  const again = await open();
  await again.addCookies(cookies);
  const opened = again.pages()[0] ?? (await again.newPage());
  await again.setOffline(true);
  await opened.goto(address('/store-count', storeId));
  await expect(row(opened, 'Beef shank')).toContainText('41');
  await expect(badge(opened)).toHaveText(/1 waiting to send/);
  await online(again, server);
  await expect(badge(opened)).toHaveText(/^Sent/, { timeout: 35_000 });
  expect((await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty).toBe(41);
  await again.close();
  rmSync(folder, { recursive: true, force: true });
  await end();
});

/** Kills this browser's processes, like an empty battery. */
function kill(profile: string): void {
  const own = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(profile);
    } catch {
      return false;
    }
  });
  for (const id of own) {
    try {
      process.kill(Number(id), 'SIGKILL');
    } catch {
      // Ended with its parent.
    }
  }
}

test('two tabs and two devices count side by side', async ({ browser }) => {
  await test.step('two tabs count side by side and send everything once', async () => {
    const { server, api, storeId, items, end } = await world(browser);
    const { context, page } = await phone(browser, server.url, address('/store-count', storeId));
    const other = await context.newPage();
    await other.setViewportSize({ width: 390, height: 844 });
    await other.goto(address('/store-count', storeId));
    await expect(row(other, 'Beef shank')).toBeVisible();
    await offline(context, server);
    await count(page, 'Beef shank', '1');
    await count(other, 'Takeout box', '2');
    await count(page, 'Red onion', '3');
    for (const tab of [page, other]) {
      await expect(badge(tab)).toHaveText(/3 waiting to send/);
      await expect(row(tab, 'Takeout box')).toContainText('2');
    }
    await online(context, server);
    for (const tab of [page, other]) await expect(badge(tab)).toHaveText(/^Sent/, { timeout: 35_000 });
    for (const [name, qty] of [['Beef shank', 1], ['Takeout box', 2], ['Red onion', 3]] as const) {
      const { events } = await api.call<{ events: { qty: number }[] }>(
        'GET',
        `/api/stores/count/history?storeId=${storeId}&date=${new URL(page.url()).searchParams.get('date')}&session=opening&itemId=${items[name]}`,
      );
      expect(events.map(({ qty }) => qty)).toEqual([qty]);
    }
    await context.close();
    await end();
  });

  await test.step('two devices with wrong clocks count one item: the later wins, one tap selects the other', async () => {
    const { server, api, storeId, items, end } = await world(browser);
    const role = await makeRole(api, {
      apps: { storeCount: { view: true } },
      stores: { storeCount: { view: true, count: true } },
    });
    const ben = await makePerson(api, 'Ben', role.id);
    const ana = await phone(browser, server.url, address('/store-count', storeId));
    const second = await phone(browser, server.url, address('/store-count', storeId), ben.email, ben.password);
    // Ana's clock is 40 minutes fast, Ben's 40 minutes slow.
    for (const [page, minutes] of [[ana.page, 40], [second.page, -40]] as const) {
      await page.evaluate((by) => {
        const now = Date.now.bind(Date);
        const Real = Date;
        Date.now = () => now() + by;
        globalThis.Date = new Proxy(Real, {
          construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now() + by] : args),
        });
      }, minutes * 60_000);
    }
    await server.kill();
    await ana.context.setOffline(true);
    await second.context.setOffline(true);
    await count(ana.page, 'Beef shank', '12');
    await ana.page.waitForTimeout(1_100);
    await count(second.page, 'Beef shank', '10');
    await server.serve();
    // The later one arrives first.
    await second.context.setOffline(false);
    await expect(badge(second.page)).toHaveText(/^Sent/, { timeout: 35_000 });
    await ana.context.setOffline(false);
    await expect(badge(ana.page)).toHaveText(/^Sent/, { timeout: 35_000 });
    await expect(row(ana.page, 'Beef shank')).toContainText('10');
    await row(ana.page, 'Beef shank').click();
    await expect(ana.page.getByText(/2 devices counted this item: 10 \(Ben, \d\d:\d\d\), 12 \(Ana Cruz, \d\d:\d\d\)/)).toBeVisible();
    await expectAccessible(ana.page);
    await ana.page.getByRole('button', { name: 'Take 12' }).click();
    await expect(row(ana.page, 'Beef shank')).toContainText('12');
    await expect.poll(async () => (await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty).toBe(12);
    await ana.context.close();
    await second.context.close();
    await end();
  });
});

test('a full device says NOT saved, and signing out keeps unsent counts', async ({ browser }) => {
  await test.step('a full device says NOT saved, offers a file, and still sends', async () => {
    const { server, api, storeId, items, end } = await world(browser);
    const { context, page } = await phone(browser, server.url, address('/store-count', storeId));
    await offline(context, server);
    await page.evaluate(() => {
      const full = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
      const set = Storage.prototype.setItem;
      IDBObjectStore.prototype.put = full;
      Storage.prototype.setItem = function (key, value) {
        return key.startsWith('storeCount') ? full() : set.call(this, key, value);
      };
    });
    await count(page, 'Beef shank', '5');
    await expect(badge(page)).toHaveText(/^NOT saved/);
    await expectAccessible(page);
    await badge(page).click();
    await expect(page.getByText(/could not be saved: this device is full/)).toBeVisible();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = readFileSync((await (await download).path()) ?? '', 'utf8');
    // Every queue of the page has its part in the file, in the order in which its code was loaded.
    const [kept] = (JSON.parse(file) as { records?: { record: { entries: object[] } }[] }[]).flatMap(({ records }) => records ?? []);
    expect(kept?.record.entries[0]).toMatchObject({ itemId: items['Beef shank'], qty: 5 });
    await online(context, server);
    await expect.poll(async () => (await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty, { timeout: 35_000 }).toBe(5);
    await context.close();
    await end();
  });

  await test.step('signing out with unsent counts asks, keeps them, and shows other users nothing', async () => {
    const { server, api, storeId, items, end } = await world(browser);
    const { context, page } = await phone(browser, server.url, address('/store-count', storeId));
    await offline(context, server);
    await count(page, 'Beef shank', '23');
    await expect(badge(page)).toHaveText(/1 waiting to send/);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('dialog', { name: '1 count not sent yet' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send now and sign out' }).click();
    await expect(page.getByText(/They could not be sent now/)).toBeVisible();
    await page.getByRole('button', { name: 'Keep on this device and sign out' }).click();
    await expect(page).toHaveURL(/\/login/);
    // Until the console is idle there: its pending navigation would abort another one.
    await expect(page.getByText('This page needs a connection')).toBeVisible();
    // Offline and signed out, nothing is shown at any URL.
    for (const path of ['/store-count', '/stores/count', '/']) {
      await page.goto(path);
      await expect(page.getByText(/needs a connection|Sign in/).first()).toBeVisible();
      // The link to counting is named «Store count»; store names must not be visible.
      await expect(page.getByText(/Beef shank|Store (?!count)[a-z0-9]+|waiting to send/)).toHaveCount(0);
      await expect(page.getByRole('button', { name: /^Account of/ })).toHaveCount(0);
    }
    const left = await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open('larder');
        opening.onsuccess = () => done(opening.result);
      });
      const size = (shelf: string) =>
        new Promise<number>((done) => {
          const asking = database.transaction(shelf).objectStore(shelf).count();
          asking.onsuccess = () => done(asking.result);
        });
      return [await size('pending'), await size('cache')];
    });
    expect(left).toEqual([1, 0]);

    await online(context, server);
    await enter(page, admin.email, admin.password);
    await expect.poll(async () => (await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty, { timeout: 35_000 }).toBe(23);
    await context.close();
    await end();
  });
});

test('input is kept when its tab closes or a new version arrives', async ({ browser }) => {
  await test.step('a new version that arrives while typing saves the input and reloads once', async () => {
    const { server, api, storeId, items, end } = await world(browser);
    const { context, page } = await phone(browser, server.url, address('/store-count', storeId));
    // The next version is the same code at another URL, which is registered from now on.
    await context.addInitScript(() => {
      const register = ServiceWorkerContainer.prototype.register;
      ServiceWorkerContainer.prototype.register = function (_, options) {
        return register.call(this, '/sw.js?next', options);
      };
    });
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await row(page, 'Beef shank').click();
    await field(page).pressSequentially('6*7');
    // Not awaited: the page may be gone before the response.
    await page.evaluate(() => {
      void navigator.serviceWorker.register('/sw.js?next', { scope: '/' });
    });
    await expect.poll(() => loads, { timeout: 40_000 }).toBe(1);
    await expect(row(page, 'Beef shank')).toContainText('42');
    await expect.poll(async () => (await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty).toBe(42);
    await page.waitForTimeout(2_000);
    expect(loads).toBe(1);
    await context.close();
    await end();
  });

  await test.step('a tab that is closed while typing keeps the input', async () => {
    const { server, api, storeId, items, end } = await world(browser);
    const { context, page } = await phone(browser, server.url, address('/store-count', storeId));
    await offline(context, server);
    await row(page, 'Beef shank').click();
    await field(page).pressSequentially('19');
    await page.close({ runBeforeUnload: true });
    const again: Page = await context.newPage();
    await again.goto(address('/store-count', storeId));
    await expect(row(again, 'Beef shank')).toContainText('19');
    await online(context, server);
    await expect.poll(async () => (await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty, { timeout: 35_000 }).toBe(19);
    await context.close();
    await end();
  });
});
