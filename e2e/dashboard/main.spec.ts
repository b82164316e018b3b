// Home and notifications: empty, with live updates, arranged by keyboard and mouse, and with demo data for each role.

import { admin, Server } from '../support/server.ts';
import { admit, browserOf } from '../support/people.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

let asked = 0;
const apply = (api: Api) => {
  asked += 1;
  return api.call('POST', '/api/apply', {
    name: `Nina ${asked}`,
    email: `nina${asked}@larder.example`,
    mobile: '09171234567',
    position: 'Cashier',
    store: 'Cubao',
    reason: 'To count',
  });
};

test('home from empty to the first task', async ({ signedIn: page, api }) => {
  const tile = (name: string) => page.locator(`[data-tile="${name}"]`);
  const bell = page.getByRole('button', { name: /^Notifications/ });

  await test.step('the back office opens on it, without tasks', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: /Back office/ }).click();
    await expect(page).toHaveURL('/dashboard/main');
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'All clear' })).toBeVisible();
    await expect(page.getByText('No stores yet')).toBeVisible();
    await expectAccessible(page);
    await bell.click();
    await expect(page.getByText('No notifications')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('No notifications')).toHaveCount(0);
  });

  await test.step('new tasks appear by themselves, on the page and in the notifications', async () => {
    await apply(api);
    await expect(tile('applications').getByText('Nina 1')).toBeVisible();
    await expect(bell).toHaveAccessibleName('Notifications, 1 new one');
    await apply(api);
    await expect(bell).toHaveAccessibleName('Notifications, 2 new ones');
  });

  await test.step('one is marked read, then all', async () => {
    await bell.click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Mark «Nina 1» as read' }).click();
    await expect(bell).toHaveAccessibleName('Notifications, 1 new one');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(bell).toHaveAccessibleName('Notifications');
    await expect(page.getByRole('dialog').getByText('Nina 2')).toBeVisible();
  });

  await test.step('settings are saved at once', async () => {
    await page.getByRole('button', { name: 'Notification settings' }).click();
    const kind = page.getByRole('checkbox', { name: 'Requests for access' });
    await expect(kind).toBeChecked();
    await expectAccessible(page);
    await kind.click();
    await expect(kind).not.toBeChecked();
    await page.getByRole('switch', { name: 'One email a day' }).click();
    await page.getByLabel('At', { exact: true }).selectOption('06:00');
    await page.getByRole('button', { name: 'Back to notifications' }).click();
    await expect(page.getByText('No notifications')).toBeVisible();
    await page.keyboard.press('Escape');
    const kept = await api.call<{ digest: boolean; digestHour: number }>('GET', '/api/notifications/settings');
    expect([kept.digest, kept.digestHour]).toEqual([true, 6]);
  });

  await test.step('it leads to its page', async () => {
    await tile('applications').getByRole('link', { name: 'Requests for access' }).click();
    await expect(page).toHaveURL('/users/applications');
    await page.goBack();
  });

  await test.step('tiles are arranged by keyboard and by mouse, and keep their order', async () => {
    const names = () => page.locator('[data-tile]').evaluateAll((all) => all.map((one) => one.getAttribute('data-tile')));
    await page.getByRole('button', { name: 'Arrange' }).click();
    await expectAccessible(page);
    const before = await names();
    const handle = page.getByRole('button', { name: 'Move Sales with the arrow keys' });
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(names).toEqual([before[1], before[0], ...before.slice(2)]);
    await expect(handle).toBeFocused();
    await page.getByRole('button', { name: 'Put Stores away' }).click();
    await expect(tile('stores')).toHaveCount(0);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(tile('sales')).toBeVisible();
    await expect(tile('stores')).toHaveCount(0);
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByRole('button', { name: 'Show Stores' }).click();
    await expect(tile('stores')).toBeVisible();
    await page.getByRole('button', { name: 'Usual order' }).click();
    await expect.poll(names).toEqual(before);
    // By mouse: dragged by its handle onto the tile whose place it takes.
    const last = before.at(-1) ?? '';
    const grip = page.locator(`[data-tile="${last}"]`).getByRole('button', { name: /^Move .* with the arrow keys$/ });
    await grip.hover();
    const { x, y } = (await grip.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.down();
    // The drag begins with the first movement, before the page scrolls.
    await page.mouse.move(x + 2, y + 2);
    await tile('sales').hover({ position: { x: 60, y: 60 } });
    await tile('sales').hover({ position: { x: 64, y: 64 } });
    await page.mouse.up();
    const dragged = [last, ...before.slice(0, -1)];
    await expect.poll(names).toEqual(dragged);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    // Empty tiles show only while tiles are arranged.
    await page.getByRole('button', { name: 'Arrange' }).click();
    await expect.poll(names).toEqual(dragged);
  });
});

const ROLES = [
  ['admin@larder.example', 'pandesal-at-sunrise', 'sales'],
  ['head.office@larder.example', 'kape-barako-two-cups', 'sales'],
  ['store.manager@larder.example', 'halo-halo-extra-ube', 'countsMissing'],
  ['commissary@larder.example', 'adobo-simmers-slowly', 'stockAtRisk'],
  ['accounting@larder.example', 'sinigang-by-the-book', 'readingsToVerify'],
  ['viewer@larder.example', 'turon-behind-glass', 'sales'],
] as const;

test('home with demo data, as each of its users, on desktop and phone', async ({ browser, server }) => {
  expect(server.url).not.toBe('');
  expect(admin.name).toBeTruthy();
  const demo = await Server.startWithDemo();
  try {
    for (const [email, secret, there] of ROLES) {
      await test.step(email, async () => {
        const { context, page } = await browserOf(browser, demo.url);
        const complaints: string[] = [];
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        await admit(context, demo.url, email, secret);
        await page.goto('/dashboard/main');
        await expect(page.locator(`[data-tile="${there}"]`)).toBeVisible();
        await expect(page.getByText('could not be read')).toHaveCount(0);
        if (email.startsWith('store.manager')) {
          await expect(page.locator('[data-tile="stores"] a')).toHaveCount(3);
        }
        await expectAccessible(page);
        await page.setViewportSize({ width: 390, height: 844 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wide).toBeLessThanOrEqual(0);
        expect(complaints).toEqual([]);
        await context.close();
      });
    }
  } finally {
    await demo.stop();
  }
});
