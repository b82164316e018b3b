// Every counting screen, on phone and desktop, in light and dark: readable, reachable, and with clear empty states.

import { address, badge, count, entriesOf, field, makeCounted, makeLived, readyForOffline, row, workerHolds } from '../../support/counts.ts';
import { DESK, expectFine, expectTappable, PHONE } from '../../support/looks.ts';
import { admit, browserOf, enter, makePerson, makeRole } from '../../support/people.ts';
import { admin, Server } from '../../support/server.ts';
import { type Api, expect, test } from '../../support/test.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow' });

const ITEMS = '/api/lists/store-inventory-items';

// Each screen is checked four times; a busy machine may need the time.
test.beforeEach(() => test.slow());

/** Adds packs to an item. */
async function givePacks(api: Api, itemId: string, factors: readonly number[]) {
  const packs = [];
  for (const factor of factors) {
    const mark = `${factor}-${Date.now().toString(36)}`;
    const { id } = await api.call<{ id: string }>('POST', '/api/lists/uoms', { name: `Pack of ${mark}`, code: `×${factor}` });
    packs.push({ uomId: id, factor });
  }
  const { revision } = await api.call<{ revision: number }>('GET', `${ITEMS}/${itemId}`);
  await api.call('PATCH', `${ITEMS}/${itemId}`, { packs, revision });
}

test('the counting screens of phone and desktop, and decisions of managers', async ({ signedIn: page, api, complaints, browser, baseURL }) => {
  await test.step('the counting screens of a phone', async () => {
    const { storeId, items } = await makeLived(api);
    await givePacks(api, items['Beef shank'] ?? '', [6, 24, 144, 12]);
    await page.setViewportSize(PHONE);
    const fine = async (name: string) => {
      await expectFine(page, name);
      await expectTappable(page);
    };
    await page.goto(address('/store-count', storeId));
    await expect(row(page, 'Ube halaya')).toBeVisible();
    await fine('list');

    // Every pack of an item has its field.
    await row(page, 'Beef shank').click();
    const packs = page.getByRole('textbox', { name: /^Packs/ });
    await expect(packs).toHaveCount(4);
    await packs.nth(0).fill('1');
    await packs.nth(3).fill('2');
    await field(page).fill('3');
    await expect(page.getByText('= 159')).toBeVisible();
    await page.getByRole('button', { name: 'Note' }).click();
    await fine('entry');
    await field(page).press('Enter');
    await expect.poll(async () => (await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty).toBe(159);

    await row(page, 'Coconut milk').click();
    const entry = page.getByRole('group', { name: 'Count of Coconut milk' });
    await expect(entry.getByText(/2 devices counted this item/)).toBeVisible();
    await fine('conflict');
    await page.getByRole('button', { name: 'History of Coconut milk' }).click();
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(2);
    await fine('history');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByText('yesterday 9, now 90?')).toBeVisible();
    await fine('review');
    await page.getByRole('button', { name: 'Keep counting' }).click();

    // Unsent counts without a response.
    await page.route('**/api/stores/count/batch', (route) => route.abort());
    await count(page, 'Paper cup', '5');
    await badge(page).click();
    await expect(page.getByRole('region', { name: 'Waiting to send' })).toContainText('Paper cup');
    await fine('waiting');
    await page.unroute('**/api/stores/count/batch');
    // Intentionally aborted requests are expected.
    expect(complaints.splice(0).filter((said) => !said.includes('net::ERR_FAILED'))).toEqual([]);
  });

  await test.step('the counting screens of the desktop, and decisions of managers', async () => {
    // A window that is already over, at any time of day.
    const minute = Math.floor(((Date.now() + 8 * 3_600_000) % 86_400_000) / 60_000);
    const [openingFrom, openingTo] = minute > 30 ? [0, 15] : [1200, 1260];
    const { storeId } = await makeCounted(api, { enforceTimeWindow: true, userLockEnabled: false, openingFrom, openingTo });
    const role = await makeRole(api, { apps: { storeCount: { view: true } }, stores: { storeCount: { view: true, count: true } } });
    const dora = await makePerson(api, 'Dora', role.id);
    const { context, page: phone } = await browserOf(browser, baseURL ?? '');
    await phone.setViewportSize(PHONE);
    await admit(context, baseURL ?? '', dora.email);
    await phone.goto(address('/store-count', storeId));
    await count(phone, 'Beef shank', '9');
    await expect(badge(phone)).toHaveText(/^Held/);
    await badge(phone).click();
    await expect(phone.getByRole('region', { name: 'Held' })).toContainText('Beef shank');
    await expectFine(phone, 'held-own');
    await expectTappable(phone);
    await context.close();

    for (const size of [DESK, PHONE]) {
      await page.setViewportSize(size);
      await page.goto(address('/stores/count', storeId));
      await row(page, 'Coconut milk').click();
      await expectFine(page, 'desk-entry');
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('button', { name: '1 held' }).click();
      await expect(page.getByRole('dialog')).toContainText('Beef shank');
      await expectFine(page, 'held-queue');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'How this store counts' }).click();
      await expect(page.getByLabel('Closing to')).toBeVisible();
      await expectFine(page, 'settings');
      await page.keyboard.press('Escape');
    }
  });
});

test('a count that cannot be opened shows the reason, and what to do', async ({ signedIn: page, api, browser, baseURL, complaints }) => {
  await page.setViewportSize(PHONE);
  const { storeId } = await makeCounted(api);
  // Nothing is counted there.
  await api.call('PUT', `${ITEMS}/visibility/${storeId}`, { itemIds: [], groupId: null });
  await page.goto(address('/store-count', storeId));
  await expect(page.getByText('Nothing is counted here yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start counting' })).toBeDisabled();
  await expectFine(page, 'no-items');
  await expectTappable(page);

  // The server refuses, though the screen allowed it.
  await page.route('**/api/stores/count/warm-up*', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 403, code: 'storeOutOfScope', title: 'Forbidden', detail: 'You don’t have access to this store.' }),
    }),
  );
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The count could not be opened');
  await expect(page.getByRole('alert')).toContainText('You don’t have access to this store.');
  await expectFine(page, 'refused');
  await expectTappable(page);
  await page.unroute('**/api/stores/count/warm-up*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Nothing is counted here yet')).toBeVisible();
  expect(complaints.splice(0).filter((said) => !said.includes('403'))).toEqual([]);

  // They have no store: users who count are saved with one only, those who look may be without.
  const role = await makeRole(api, { apps: { storeCount: { view: true } }, stores: { storeCount: { view: true } } });
  const eva = await makePerson(api, 'Eva', role.id);
  await api.call('PATCH', `/api/users/${eva.id}`, { storeIds: [], revision: eva.revision });
  const { context, page: other } = await browserOf(browser, baseURL ?? '');
  await other.setViewportSize(PHONE);
  await admit(context, baseURL ?? '', eva.email);
  await other.goto('/store-count');
  await expect(other.getByText('You have no store yet')).toBeVisible();
  await expectFine(other, 'no-stores');
  await context.close();
});

test('without a server, a first opening says that it needs one', async ({ browser }) => {
  await test.step('the first opening without a server says that it needs one, once', async () => {
    const server = await Server.start();
    const { context, page } = await browserOf(browser, server.url);
    await page.setViewportSize(PHONE);
    await enter(page, admin.email, admin.password);
    await readyForOffline(page);
    await server.kill();
    await context.setOffline(true);
    await page.goto('/store-count');
    await expect(page.getByRole('alert')).toContainText('This store is not on this device yet');
    await expectFine(page, 'no-server');
    await expectTappable(page);
    await context.close();
    await server.stop();
  });

  await test.step('without a user and a server it says so, and opens by itself', async () => {
    const server = await Server.start();
    const { context, page } = await browserOf(browser, server.url);
    await page.setViewportSize(PHONE);
    await page.goto('/login');
    await expect(page.getByLabel('Email')).toBeVisible();
    await workerHolds(page);
    await server.kill();
    await page.goto('/store-count');
    await expect(page.getByRole('alert')).toContainText('No connection');
    await expect(page.getByRole('alert')).toContainText('Larder opens by itself');
    await expectFine(page, 'nobody-no-server');
    await expectTappable(page);
    await server.serve();
    await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
    await context.close();
    await server.stop();
  });
});
