// What a signed-out visitor sees, and how one gets in and out.

import { admin } from './support/server.ts';
import { expect, expectAccessible, test } from './support/test.ts';

test('a visitor lands, signs in, and signs out', async ({ page, complaints }) => {
  await page.goto('/lists/uoms');
  await expect(page).toHaveURL('/');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Need access? Contact your administrator.')).toBeVisible();
  await expect(page.getByText('or', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Apply' })).toHaveAttribute('href', '/apply');
  await expectAccessible(page);

  await page.getByLabel('Email').fill(admin.email);
  await page.locator('input[name=password]').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Back office')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/login');
  await expect(page).toHaveURL('/');

  await page.goto('/lists');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByText('Sign out').click();
  await expect(page).toHaveURL('/login');
  await page.goto('/lists');
  await expect(page).toHaveURL('/');
  // The first question who is signed in is answered 401: that is how a page learns it.
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
});

test('each refusal is said in its own words', async ({ page }) => {
  await page.goto('/login');
  const email = page.getByLabel('Email');
  const password = page.locator('input[name=password]');
  const submit = page.getByRole('button', { name: 'Sign in' });
  await email.fill('ana@larder.example');
  await password.fill('wrong');
  await submit.click();
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password.');
  await expectAccessible(page);
  for (const [code, message] of [
    ['TOO_MANY_ATTEMPTS_TRY_LATER : later', 'Too many attempts. Please wait and try again later.'],
    ['USER_DISABLED', 'This account has been disabled. Contact your administrator.'],
    ['EMAIL_NOT_FOUND', 'No account exists with that email. Check the address and try again.'],
    ['INVALID_PASSWORD', 'Incorrect password. Please try again.'],
    ['INVALID_EMAIL', 'Enter a valid email address.'],
    ['SOMETHING_NEW', 'Authentication failed.'],
  ] as const) {
    await page.route('**/v1/accounts:signInWithPassword', (route) =>
      route.fulfill({ status: 400, json: { error: { code: 400, message: code } } }),
    );
    await submit.click();
    await expect(page.getByRole('alert')).toHaveText(message);
    await page.unroute('**/v1/accounts:signInWithPassword');
  }
  await page.route('**/v1/accounts:signInWithPassword', (route) => route.abort());
  await submit.click();
  await expect(page.getByRole('alert')).toHaveText('Network error. Check your connection and try again.');
});

test('the button says that it is busy', async ({ page }) => {
  await page.goto('/login');
  await page.route('**/v1/accounts:signInWithPassword', async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    await route.continue();
  });
  await page.getByLabel('Email').fill(admin.email);
  await page.locator('input[name=password]').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: 'Signing in…' })).toBeVisible();
  await expect(page.getByText('Back office')).toBeVisible();
});
