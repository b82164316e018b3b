// The Z-reading photo of the branch app: taken offline, it arrives once.

import { addDays, today } from '../../web/src/ui/dates.ts';
import { whole } from '../support/browser.ts';
import { readyForOffline } from '../support/counts.ts';
import { admit, browserOf, makePerson, makeRole } from '../support/people.ts';
import { draw } from '../support/receipts.ts';
import { admin, Server } from '../support/server.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow', launchOptions: whole });

interface Reading {
  businessDate: string;
  source: string;
}

const yesterday = addDays(today(), -1);
const readings = (api: Api, query = '') => api.call<{ items: Reading[]; total: number }>('GET', `/api/sales/z-reading${query}`);

test('a reading is photographed offline and arrives once', async ({ browser }) => {
  test.setTimeout(300_000);
  const server = await Server.start();
  const office = await browser.newContext({ baseURL: server.url });
  const api = await admit(office, server.url, admin.email, admin.password);
  await api.call('POST', '/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  const role = await makeRole(api, {
    apps: { branchOps: { view: true } },
    sales: { zReading: { view: true, create: true, edit: true } },
  });
  const person = await makePerson(api, 'Dina', role.id);
  const { context, page } = await browserOf(browser, server.url);
  await page.setViewportSize({ width: 390, height: 844 });
  await admit(context, server.url, person.email);
  await page.goto('/branch-ops');
  await expect(page.getByRole('link', { name: /Z-reading photo/ })).toBeVisible();
  await readyForOffline(page);
  const picture = await draw(page, { date: yesterday, counter: 7 });

  await test.step('it is taken and kept on the device', async () => {
    await server.kill();
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('link', { name: /Z-reading photo/ }).click();
    await page.getByRole('button', { name: 'Send the photo' }).click();
    await expect(page.getByRole('alert')).toContainText('Take a photo');
    await page.getByLabel('Photo', { exact: true }).setInputFiles({ name: 'z.png', mimeType: 'image/png', buffer: picture });
    await expect(page.getByRole('button', { name: 'Remove photo 1' })).toBeVisible();
    await page.getByLabel('Day of the reading').fill(yesterday);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send the photo' }).click();
    await expect(page.getByText(/Waiting to be sent/)).toBeVisible();
    await page.reload();
    await expect(page.getByText(/Waiting to be sent/)).toBeVisible();
  });

  await test.step('it arrives when the network is back, once, and is read', async () => {
    await server.serve();
    await context.setOffline(false);
    await expect(page.getByText(/^Sent: it is being read/)).toBeVisible({ timeout: 45_000 });
    await expect.poll(async () => (await readings(api, '?state=needsReview')).total, { timeout: 180_000 }).toBe(1);
    const { items } = await readings(api);
    expect(items.map(({ businessDate, source }) => [businessDate, source])).toEqual([[yesterday, 'picture']]);
  });
  await context.close();
  await office.close();
  await server.stop();
});
