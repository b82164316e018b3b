// The server is upgraded while pages of the old release are open: they change to the new one, and no input is lost.

import { whole } from './support/browser.ts';
import { address, badge, entriesOf, field, makeCounted, readyForOffline, row } from './support/counts.ts';
import { admit, browserOf } from './support/people.ts';
import { ReleaseProxy } from './support/release.ts';
import { admin } from './support/server.ts';
import { expect, type Page, test } from './support/test.ts';

test.use({ serviceWorkers: 'allow', launchOptions: whole });

const isNext = (page: Page) => expect(page.locator('html[data-release="next"]'));
/** As when the browser comes to the front. */
const lookForRelease = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

test('open pages change to the next release, and what is typed stays', async ({ browser, server, api }) => {
  const proxy = await ReleaseProxy.before(server);
  const { storeId, items } = await makeCounted(api);
  const desk = await browserOf(browser, proxy.url);
  await admit(desk.context, proxy.url, admin.email, admin.password);
  const phone = await browserOf(browser, proxy.url);
  await phone.page.setViewportSize({ width: 390, height: 844 });
  await admit(phone.context, proxy.url, admin.email, admin.password);

  await test.step('a form is open at the desk, and a count is typed on the phone', async () => {
    await desk.page.goto('/lists/suppliers');
    await readyForOffline(desk.page);
    await desk.page.keyboard.press('n');
    await desk.page.getByRole('dialog').getByRole('textbox', { name: 'Display name' }).fill('Divisoria Market');
    await phone.page.goto(address('/store-count', storeId));
    await readyForOffline(phone.page);
    await row(phone.page, 'Beef shank').click();
    await field(phone.page).fill('7');
  });

  await test.step('the phone keeps the count that was not entered yet, and has the next release', async () => {
    proxy.upgrade();
    await lookForRelease(phone.page);
    await isNext(phone.page).toHaveCount(1, { timeout: 30_000 });
    await expect(row(phone.page, 'Beef shank')).toContainText('7');
    await expect(badge(phone.page)).toHaveText(/^Sent/);
    expect((await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty).toBe(7);
  });

  await test.step('the desk waits for the form: what is typed stays, is saved, and then the page changes', async () => {
    await lookForRelease(desk.page);
    const caches = () => desk.page.evaluate(() => window.caches.keys());
    await expect.poll(caches, { timeout: 30_000 }).toEqual(['larder-shell-next']);
    const name = desk.page.getByRole('dialog').getByRole('textbox', { name: 'Display name' });
    await expect(name).toHaveValue('Divisoria Market');
    await isNext(desk.page).toHaveCount(0);
    await name.press('Control+Enter');
    await isNext(desk.page).toHaveCount(1, { timeout: 30_000 });
    await expect(desk.page.getByText('Divisoria Market').first()).toBeVisible();
  });

  await test.step('without a network the phone starts with the next release', async () => {
    await proxy.stop();
    await phone.context.setOffline(true);
    await phone.page.reload();
    await isNext(phone.page).toHaveCount(1);
    await expect(row(phone.page, 'Beef shank')).toContainText('7');
  });
  await desk.context.close();
  await phone.context.close();
});
