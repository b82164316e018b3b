// A user's own account: the popup's reset, the password, the second factor, active sessions.

import type { Page } from '@playwright/test';
import { linkTo } from './support/outbox.ts';
import { browserOf, enter, makePerson, makeRole, password, signIn } from './support/people.ts';
import { admin } from './support/server.ts';
import { expect, expectAccessible, test } from './support/test.ts';
import { totp } from './support/totp.ts';

const another = 'monsoon umbrella violin';

const popup = (page: Page) => page.getByRole('button', { name: /^Account of/ });

async function openAccount(page: Page): Promise<void> {
  await popup(page).click();
  await page.getByRole('button', { name: 'My account' }).click();
  await expect(page.getByRole('dialog', { name: 'My account' })).toBeVisible();
}

test('a user manages their account: reset, password, second factor', async ({ browser, baseURL, api, server }) => {
  await test.step('the reset in the popup goes from idle to sending to sent', async () => {
    const role = await makeRole(api, { apps: { storeCount: { view: true } } });
    const person = await makePerson(api, 'Gina', role.id);
    const { context, page } = await browserOf(browser, baseURL ?? '');
    await enter(page, person.email);
    await page.route('**/api/me/password-reset', async (route) => {
      await new Promise((done) => setTimeout(done, 500));
      await route.continue();
    });
    await popup(page).click();
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expect(page.getByRole('button', { name: 'Sending reset email…' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Reset email sent' })).toBeVisible();
    await expectAccessible(page);

    // The email's link works in the signed-in browser, and ends its session.
    await page.goto(await linkTo(server, person.email, 2));
    await page.getByLabel('New password').fill(another);
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('Your password is set. Sign in with it.')).toBeVisible();
    await signIn(page, person.email, another);
    await expect(page).toHaveURL('/store-count');
    await context.close();
  });

  await test.step('a changed password signs out all other sessions', async () => {
    const role = await makeRole(api, { apps: { branchOps: { view: true } } });
    const person = await makePerson(api, 'Hugo', role.id);
    const desk = await browserOf(browser, baseURL ?? '');
    await enter(desk.page, person.email);
    const phone = await browserOf(browser, baseURL ?? '');
    await signIn(phone.page, person.email, password);
    await expect(phone.page).toHaveURL('/branch-ops');

    await openAccount(desk.page);
    const dialog = desk.page.getByRole('dialog', { name: 'My account' });
    await expect(dialog.getByText('This browser')).toBeVisible();
    await expect(dialog.getByRole('button', { name: /^Sign out Chrome/ })).toHaveCount(1);
    await expectAccessible(desk.page);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByLabel('Current password').fill('wrong');
    await dialog.getByLabel('New password').fill(another);
    await dialog.getByRole('button', { name: 'Save password' }).click();
    await expect(dialog.getByText(/password/i).and(dialog.locator('[class*=error], [role=alert]')).first()).toBeVisible();
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Save password' }).click();
    await expect(desk.page.getByText('Password changed')).toBeVisible();
    await expect(phone.page).toHaveURL('/login');
    await expect(phone.page.getByText('You were signed out.')).toBeVisible();
    await signIn(phone.page, person.email, another);
    await expect(phone.page).toHaveURL('/branch-ops');

    await desk.page.reload();
    await openAccount(desk.page);
    await dialog.getByRole('button', { name: /^Sign out Chrome/ }).click();
    await expect(phone.page).toHaveURL('/login');
    await expect(dialog.getByRole('button', { name: /^Sign out Chrome/ })).toHaveCount(0);
    await desk.context.close();
    await phone.context.close();
  });

  await test.step('the second factor is set up, used, and removed', async () => {
    const role = await makeRole(api, { apps: { branchOps: { view: true } } });
    const person = await makePerson(api, 'Ines', role.id);
    const { context, page } = await browserOf(browser, baseURL ?? '');
    await enter(page, person.email);
    await openAccount(page);
    const dialog = page.getByRole('dialog', { name: 'My account' });
    await dialog.getByRole('button', { name: 'Set up' }).click();
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
    await expectAccessible(page);
    await dialog.getByLabel('Code').fill(totp(secret));
    await expect(dialog.getByText('Keep these recovery codes somewhere safe')).toBeVisible();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('larder-recovery-codes.txt');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog.getByText('On', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn it off' }).click();
    await expect(dialog.getByRole('button', { name: 'Set up' })).toBeVisible();
    await context.close();
  });
});

test('sensitive changes ask for the password, failures are reported, and all of it fits a phone', async ({ signedIn: page, complaints }) => {
  await test.step('a failed reset is reported', async () => {
    await page.goto('/branch-ops');
    await page.route('**/api/me/password-reset', (route) => route.fulfill({ status: 200, body: 'not json' }));
    await popup(page).click();
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to send reset email');
    await expect(page.getByRole('button', { name: 'Reset password' })).toBeEnabled();
    await page.route('**/api/me/password-reset', (route) => route.abort());
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to send reset email');
    // The aborted request is intended.
    complaints.splice(0);
  });

  await test.step('a sensitive change asks for the password once, and then succeeds', async () => {
    await page.goto('/lists');
    let refused = 0;
    await page.route('**/api/me/sessions/end-others', async (route) => {
      if (refused++ > 0) return route.continue();
      await route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 403, code: 'reauthenticate', detail: 'Enter your password again to continue.' }),
      });
    });
    await page.route('**/api/me/sessions', (route) =>
      route.fulfill({
        json: {
          total: 2,
          items: ['a', 'b'].map((id, i) => ({
            id,
            kind: 'office',
            provider: 'password',
            createdAt: '2026-11-20T01:00:00.000Z',
            lastSeenAt: '2026-11-20T01:00:00.000Z',
            expiresAt: '2026-12-01T01:00:00.000Z',
            userAgent: 'Firefox/140.0 (Windows)',
            origin: '127.0.0.1',
            current: i === 0,
          })),
        },
      }),
    );
    await openAccount(page);
    await page.getByRole('button', { name: 'Sign out elsewhere' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm your password' });
    await expect(question.locator('input[type=password]')).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await expect(question.getByRole('alert')).toBeVisible();
    await question.locator('input[type=password]').fill(admin.password);
    await page.keyboard.press('Enter');
    await expect(question).toHaveCount(0);
    await expect(page.getByText(/^Signed out of/)).toBeVisible();
    expect(refused).toBe(2);
    // The two refusals are intended.
    complaints.splice(0);
  });

  await test.step('all of it fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/lists');
    await openAccount(page);
    await expectAccessible(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });
});
