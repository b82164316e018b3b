// A stock-take that a phone has opened goes on without a connection, also when the page is loaded anew.

import { whole } from '../support/browser.ts';
import { readyForOffline } from '../support/counts.ts';
import { admit, browserOf } from '../support/people.ts';
import { scan } from '../support/scanner.ts';
import { admin, Server } from '../support/server.ts';
import { expect, expectAccessible, test } from '../support/test.ts';
import { BUTTER, kitchen } from './counted.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow', launchOptions: whole });

test('a sheet opens, counts and reloads offline', async ({ browser }) => {
  const server = await Server.start();
  const { context, page } = await browserOf(browser, server.url);
  await page.setViewportSize({ width: 390, height: 844 });
  const api = await admit(context, server.url, admin.email, admin.password);
  await kitchen(api);
  await page.goto('/commissary/stock-takes?open=new');
  await page.getByRole('button', { name: 'Make sheet' }).click();
  await page.getByRole('button', { name: 'Start counting' }).click();
  const counted = (name: string) =>
    page.getByRole('grid', { name: 'Count sheet' }).getByLabel(`Counted, ${name}`, { exact: true });
  await expect(counted('Butter')).toBeVisible();
  const sheet = page.url();
  await readyForOffline(page);

  await server.kill();
  await context.setOffline(true);
  await page.reload();
  await counted('Buns').focus();
  await scan(page, BUTTER);
  await expect(counted('Butter'), 'scanned offline').toBeFocused();
  await expect(counted('Buns')).toHaveValue('');
  await counted('Butter').fill('8');
  await counted('Butter').press('Enter');
  await expect(page.getByText(/1 of 2 counted. 1 number saved on this device/)).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(counted('Butter')).toHaveValue('8');

  // From a page that needs the server, the way leads back to the sheet.
  await page.goto('/commissary/stock-takes');
  await expect(page.getByText('This page needs a connection')).toBeVisible();
  await page.getByRole('link', { name: /^Stock-take ST-/ }).click();
  await expect(page).toHaveURL(sheet);
  await expect(counted('Butter')).toHaveValue('8');

  await server.serve();
  await context.setOffline(false);
  await expect(page.getByText(/saved on this device/)).toBeHidden({ timeout: 35_000 });
  await expect(page.getByText('1 of 2 counted')).toBeVisible();
  await context.close();
  await server.stop();
});
