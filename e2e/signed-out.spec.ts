// Signed-out pages, signing in and out.

import type { Page } from '@playwright/test';
import { client, OpenIdProvider } from './support/oidc.ts';
import { lettersTo, linkTo } from './support/outbox.ts';
import { browserOf, enter, makeNewcomer, makePerson, makeRole, password, signIn } from './support/people.ts';
import { admin, Server } from './support/server.ts';
import { expect, expectAccessible, test } from './support/test.ts';
import { totp } from './support/totp.ts';


const another = 'monsoon umbrella violin';

const said = (page: Page) => page.getByRole('alert');
const field = (page: Page) => page.locator('input[name=password]');
const submit = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

test('a visitor signs in, by mouse and by keyboard', async ({ page, server, complaints }) => {
  await test.step('a visitor lands, signs in, and signs out', async () => {
    await page.goto('/lists/uoms');
    await expect(page).toHaveURL('/');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('Need access? Contact your administrator.')).toBeVisible();
    await expect(page.getByText('or', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeDisabled();
    await expect(page.getByText('Google sign-in is not set up here.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Apply' })).toHaveAttribute('href', '/apply');
    await expectAccessible(page);

    await page.getByLabel('Email').fill(admin.email);
    await field(page).fill(admin.password);
    await submit(page).click();
    await expect(page.getByText('Back office')).toBeVisible();
    await expectAccessible(page);
    await page.goto('/login');
    await expect(page).toHaveURL('/');

    await page.goto('/lists');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByText('Sign out').click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('You were signed out.')).toHaveCount(0);
    await page.goto('/lists');
    await expect(page).toHaveURL('/');
    // The first request for the current user gets 401: that is how a page learns it.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  await test.step('the keyboard alone is enough', async () => {
    await page.goto('/login');
    await expect(page.getByLabel('Email')).toBeFocused();
    await page.keyboard.type(admin.email);
    await page.keyboard.press('Tab');
    await expect(field(page)).toBeFocused();
    await page.keyboard.type(admin.password);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Forgot password?' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(submit(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Back office')).toBeVisible();
    for (const [name, value] of [
      ['email', 'username'],
      ['password', 'current-password'],
    ] as const) {
      await page.context().clearCookies();
      await page.goto('/login');
      await expect(page.locator(`input[name=${name}]`)).toHaveAttribute('autocomplete', value);
    }
  });

  await test.step('other URLs lead a visitor to the start page', async () => {
    for (const path of ['/users', '/branch-ops', '/store-count/x', '/nowhere']) {
      await page.goto(path);
      await expect(page).toHaveURL('/');
    }
  });

  await test.step('requesting a link reveals nothing about accounts', async () => {
    await page.goto('/reset-password');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(said(page)).toHaveText('Enter your email address.');
    await page.getByLabel('Email').fill('nobody@larder.example');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByText(/If .+ has an account, a link/)).toBeVisible();
    expect(lettersTo(server, 'nobody@larder.example')).toEqual([]);
  });

  await test.step('on a phone, all signed-out pages fit and can be used', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/', '/login', '/apply', '/reset-password', '/reset-password?oobCode=spent']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, `${path} does not stick out`).toBeLessThanOrEqual(0);
    }
  });
});

test.describe('each refusal has its own message', () => {
  test('each has its own message', async ({ page, api, browser, baseURL, context }) => {
    await test.step('wrong, unknown, disabled, and too often', async () => {
      const person = await makePerson(api, 'Dana');
      const locked = await makePerson(api, 'Lito');
      await api.call('PATCH', `/api/users/${person.id}`, { status: 'Disabled', revision: person.revision });
      const { context, page: other } = await browserOf(browser, baseURL ?? '');
      await signIn(other, admin.email, 'wrong');
      await expect(said(other)).toHaveText('Incorrect email or password.');
      await signIn(other, 'nobody@larder.example', 'wrong');
      await expect(said(other)).toHaveText('Incorrect email or password.');
      await signIn(other, person.email, person.password);
      await expect(said(other)).toHaveText('This account has been disabled. Contact your administrator.');
      await signIn(other, locked.email, 'wrong');
      for (let i = 0; i < 5; i++) {
        await field(other).fill(`wrong ${i}`);
        await submit(other).click();
        await expect(submit(other)).toBeVisible();
      }
      await field(other).fill(locked.password);
      await submit(other).click();
      await expect(said(other)).toHaveText('Too many attempts. Please wait and try again later.');
      await context.close();
      });

    await test.step('errors the form detects, with the focus in the field to correct', async () => {
      await context.clearCookies();
      await page.goto('/login');
      await page.getByLabel('Email').press('Enter');
      await expect(said(page)).toHaveText('Enter your email address.');
      await expect(page.getByLabel('Email')).toBeFocused();
      await page.getByLabel('Email').fill('ana at larder');
      await submit(page).click();
      await expect(said(page)).toHaveText('Enter a valid email address.');
      await expect(page.getByLabel('Email')).toBeFocused();
      await page.getByLabel('Email').fill('ana@larder.example');
      await submit(page).click();
      await expect(said(page)).toHaveText('Enter your password.');
      await expect(field(page)).toBeFocused();
      await expectAccessible(page);
    });

    await test.step('errors of some servers only', async () => {
      await page.goto('/login');
      await page.getByLabel('Email').fill('ana@larder.example');
      await field(page).fill('x');
      for (const [code, message] of [
        ['EMAIL_NOT_FOUND', 'No account exists with that email. Check the address and try again.'],
        ['INVALID_PASSWORD', 'Incorrect password. Please try again.'],
        ['INVALID_IDP_RESPONSE', 'The credentials provided are invalid.'],
        ['FEDERATED_USER_ID_ALREADY_LINKED', 'This credential is already linked to another account.'],
        ['INTERNAL_ERROR', 'Something went wrong. Please try again.'],
        ['SOMETHING_NEW', 'Authentication failed.'],
        // A response without a message of its own.
        ['', 'Login failed'],
      ] as const) {
        await page.route('**/v1/accounts:signInWithPassword', (route) =>
          route.fulfill(code ? { status: 400, json: { error: { code: 400, message: code } } } : { status: 500, body: '' }),
        );
        await submit(page).click();
        await expect(said(page)).toHaveText(message);
        await page.unroute('**/v1/accounts:signInWithPassword');
      }
    });

    await test.step('offline', async () => {
      await page.goto('/login');
      await page.getByLabel('Email').fill(admin.email);
      await field(page).fill(admin.password);
      await context.setOffline(true);
      await submit(page).click();
      await expect(said(page)).toHaveText('Network error. Check your connection and try again.');
      await context.setOffline(false);
      await submit(page).click();
      await expect(page.getByText('Back office')).toBeVisible();
    });
  });
});

test.describe('a server that distinguishes addresses and passwords', () => {
  let specific: Server;
  test.beforeAll(async () => {
    specific = await Server.start({ LARDER_SPECIFIC_SIGN_IN_ERRORS: 'true' });
  });
  test.afterAll(() => specific.stop());

  test('names the wrong one', async ({ browser }) => {
    const { context, page } = await browserOf(browser, specific.url);
    await signIn(page, 'nobody@larder.example', 'x');
    await expect(said(page)).toHaveText('No account exists with that email. Check the address and try again.');
    await signIn(page, admin.email, 'x');
    await expect(said(page)).toHaveText('Incorrect password. Please try again.');
    await context.close();
  });
});

test('the device proves its key first, and works for it under attack; a shared tablet stays signed in', async ({ page, context, browser, baseURL }) => {
  await test.step('the device proves its key first, and signing in does not depend on it', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
      if (request.url().includes('signInWithPassword')) {
        asked.push(request.headers()['x-device-attestation'] ? 'with a token' : 'without');
      }
    });
    await signIn(page, admin.email, admin.password);
    await expect(page.getByText('Back office')).toBeVisible();
    const order = ['/api/device/nonce', '/api/device/attest', '/v1/accounts:signInWithPassword', 'with a token'];
    expect(asked.slice(0, 4)).toEqual(order);
    const key = await page.evaluate(
      () =>
        new Promise((done) => {
          const opening = indexedDB.open('larder-device', 1);
          opening.onsuccess = () => {
            const got = opening.result.transaction('keys').objectStore('keys').get('attestation');
            got.onsuccess = () => done((got.result as CryptoKeyPair).privateKey.extractable);
          };
        }),
    );
    expect(key).toBe(false);

    await context.clearCookies();
    await page.route('**/api/device/*', (route) => route.abort());
    await signIn(page, admin.email, admin.password);
    await expect(page.getByText('Back office')).toBeVisible();
    expect(asked.at(-1)).not.toBe('with a token');
  });

  await test.step('under attack the device computes a proof of work for its token', async () => {
    await context.clearCookies();
    await page.unrouteAll();
    let proof = '';
    await page.route('**/api/device/nonce', (route) => route.fulfill({ json: { nonce: 'a nonce', difficulty: 12 } }));
    await page.route('**/api/device/attest', async (route) => {
      proof = (route.request().postDataJSON() as { proof: string }).proof;
      await route.fulfill({ json: { token: 'x', expiresIn: 3600 } });
    });
    await page.route('**/v1/accounts:signInWithPassword', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-device-attestation': '' } }),
    );
    await signIn(page, admin.email, admin.password);
    await expect(page.getByText('Back office')).toBeVisible();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`a nonce:${proof}`)));
    expect(hash[0]).toBe(0);
    expect((hash[1] ?? 255) >> 4).toBe(0);
  });

  await test.step('a shared tablet stays signed in for days', async () => {
    const context = await browser.newContext({ baseURL, hasTouch: true, viewport: { width: 800, height: 1280 } });
    const page = await context.newPage();
    await page.goto('/login');
    await page.getByLabel('This is a shared count tablet').check();
    const sent = page.waitForRequest('**/v1/accounts:signInWithPassword');
    await page.getByLabel('Email').fill(admin.email);
    await field(page).fill(admin.password);
    await submit(page).click();
    expect((await sent).postDataJSON()).toMatchObject({ device: 'tablet' });
    await expect(page.getByText('Back office')).toBeVisible();
    await context.close();
  });

  await test.step('the button shows that it is busy, and nothing moves when the response arrives', async () => {
    await context.clearCookies();
    await page.unrouteAll();
    await page.goto('/login');
    await page.route('**/v1/accounts:signInWithPassword', async (route) => {
      await new Promise((done) => setTimeout(done, 500));
      await route.continue();
    });
    await page.getByLabel('Email').fill(admin.email);
    await field(page).fill('wrong');
    const before = await submit(page).boundingBox();
    await submit(page).click();
    await expect(page.getByRole('button', { name: 'Signing in…' })).toBeVisible();
    await expect(said(page)).toBeVisible();
    expect(await submit(page).boundingBox()).toEqual(before);
    await field(page).fill(admin.password);
    await submit(page).click();
    await expect(page.getByText('Back office')).toBeVisible();
  });
});

test.describe('Google', () => {
  const ready = async (page: Page) => {
    const house = { companyDomain: 'larder.example', companyName: 'Larder', appLabel: 'Larder', passwordMinimum: 8 };
    await page.route('**/api/sign-in', (route) => route.fulfill({ json: { ...house, google: true, firstStart: false } }));
    await page.goto('/login');
  };
  const google = (page: Page) => page.getByRole('button', { name: 'Continue with Google' });
  /** Sends the server's final message on the channel. */
  const tell = (page: Page, answer: object) =>
    page.evaluate((outcome) => {
      const channel = new BroadcastChannel('larder-sign-in');
      channel.postMessage({ type: 'larder:google', ...outcome });
      channel.close();
    }, answer);
  const blank = (page: Page) =>
    page.context().route('**/api/session/google/start**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>Choose an account' }),
    );

  test('in a popup, with its refusals, or in the whole page', async ({ page }) => {
    await test.step('opens a window of 500 by 600, which another click brings to the front', async () => {
      await blank(page);
      await ready(page);
      const features = page.evaluate(
        () =>
          new Promise<string>((done) => {
            const open = window.open.bind(window);
            window.open = (url, target, how) => {
              done(how ?? '');
              return open(url, target, how);
            };
          }),
      );
      const opened = page.waitForEvent('popup');
      await google(page).click();
      expect(await features).toMatch(/popup,width=500,height=600/);
      const popup = await opened;
      await google(page).click();
      await expect(page.getByText('Another sign-in attempt is already in progress.')).toBeVisible();
      await expect(said(page)).toHaveCount(0);
      expect(page.context().pages()).toHaveLength(2);
      await popup.close();
      await expect(said(page)).toHaveText('The sign-in popup was closed before completing.');
      await expectAccessible(page);
    });

    await test.step('refusals are reported with their message', async () => {
      await blank(page);
      await ready(page);
      for (const [answer, message] of [
        [
          { ok: false, code: 'larder/company-domain', message: 'Only @larder.example Google accounts are allowed.' },
          'Only @larder.example Google accounts are allowed.',
        ],
        [
          { ok: false, code: 'auth/account-exists-with-different-credential' },
          'An account already exists with this email using a different sign-in method.',
        ],
        [{ ok: false, code: 'auth/credential-already-in-use' }, 'This credential is already linked to another account.'],
        [{ ok: false, code: 'auth/invalid-credential' }, 'The credentials provided are invalid.'],
        [{ ok: false }, 'Google sign-in failed'],
      ] as const) {
        const opened = page.waitForEvent('popup');
        await google(page).click();
        const popup = await opened;
        await tell(page, answer);
        await expect(said(page)).toHaveText(message);
        await popup.close();
      }
    });

    await test.step('uses the whole page when the popup is blocked', async () => {
      await blank(page);
      await ready(page);
      await page.evaluate(() => {
        window.open = () => null;
      });
      await google(page).click();
      await expect(page).toHaveURL(/\/api\/session\/google\/start\?mode=redirect/);
      await page.goto('/login?error=auth/invalid-credential');
      await expect(said(page)).toHaveText('The credentials provided are invalid.');
      await expect(page).toHaveURL('/login');
      await page.goto('/login?error=larder/company-domain');
      await expect(said(page)).toHaveText(/^Only @.+ Google accounts are allowed\.$/);
    });

    await test.step('may ask for the second factor, with and without the popup', async () => {
      await blank(page);
      await ready(page);
      const opened = page.waitForEvent('popup');
      await google(page).click();
      await opened;
      await tell(page, { ok: false, mfaPendingCredential: 'pending' });
      await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
      await page.evaluate(() => sessionStorage.setItem('larder:second-factor', 'pending'));
      await page.goto('/login?error=');
      await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
    });

    await test.step('a browser without cookies cannot sign in this way', async () => {
      await page.addInitScript(() => Object.defineProperty(navigator, 'cookieEnabled', { value: false }));
      await ready(page);
      await google(page).click();
      await expect(said(page)).toHaveText("Sign-in isn't supported in this environment. Try a different browser.");
    });
  });
});

test.describe('an OpenID provider of the company', () => {
  const domain = 'larder.example';
  const provider = new OpenIdProvider([
    { sub: 'own', email: `liza@${domain}`, email_verified: true, name: 'Liza Reyes', hd: domain },
    { sub: 'other', email: 'liza@elsewhere.example', email_verified: true, name: 'Liza', hd: 'elsewhere.example' },
  ]);
  let google: Server;
  test.beforeAll(async () => {
    await provider.start();
    google = await Server.start({
      LARDER_COMPANY_DOMAIN: domain,
      LARDER_GOOGLE_ISSUER: provider.issuer,
      LARDER_GOOGLE_CLIENT_ID: client.id,
      LARDER_GOOGLE_CLIENT_SECRET: client.secret,
    });
    provider.allow(`${google.url}/api/session/google/callback`);
  });
  test.afterAll(async () => {
    await google.stop();
    await provider.stop();
  });

  async function choose(page: Page, email: string): Promise<void> {
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    const popup = await opened;
    const gone = popup.waitForEvent('close');
    await popup.getByRole('link', { name: email, exact: true }).click();
    await gone;
  }

  test('admits its users, through the popup and without, and no others', async ({ browser }) => {
    await test.step('admits its users through the popup, and no others', async () => {
      const { context, page } = await browserOf(browser, google.url);
      await page.goto('/login');
      await choose(page, 'liza@elsewhere.example');
      await expect(said(page)).toHaveText(`Only @${domain} Google accounts are allowed.`);
      await expectAccessible(page);
      await choose(page, 'Cancel');
      await expect(said(page)).toHaveText('The sign-in popup was closed before completing.');
      await choose(page, `liza@${domain}`);
      await expect(page.getByText('Your account has no role yet.')).toBeVisible();
      await expect(page).toHaveURL('/');
      await context.close();
    });

    await test.step('two clicks lead to one sign-in, and no error is shown over it', async () => {
      const { context, page } = await browserOf(browser, google.url);
      await page.goto('/login');
      const button = page.getByRole('button', { name: 'Continue with Google' });
      const opened = page.waitForEvent('popup');
      await button.dblclick();
      const popup = await opened;
      await button.click();
      const alerts: string[] = [];
      await page.exposeFunction('alerted', (text: string) => alerts.push(text));
      await page.evaluate(() => {
        new MutationObserver(() => {
          const alert = document.querySelector('[role=alert]');
          if (alert) (window as unknown as { alerted(text: string): void }).alerted(alert.textContent ?? '');
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      await popup.getByRole('link', { name: `liza@${domain}`, exact: true }).click();
      await expect(page.getByText('Your account has no role yet.')).toBeVisible();
      expect(alerts).toEqual([]);
      await context.close();
    });

    await test.step('a window that seemed closed still signs in', async () => {
      const { context, page } = await browserOf(browser, google.url);
      await page.goto('/login');
      // As when Google's pages cut the link to the page that opened them.
      await page.evaluate(() => {
        const open = window.open.bind(window);
        window.open = (...how) => {
          let looked = 0;
          open(...how);
          return { get closed() { return (looked += 1) > 1; }, focus() {} } as unknown as Window;
        };
      });
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      const popup = await opened;
      await expect(said(page)).toHaveText('The sign-in popup was closed before completing.');
      await popup.getByRole('link', { name: `liza@${domain}`, exact: true }).click();
      await expect(page.getByText('Your account has no role yet.')).toBeVisible();
      await context.close();
    });

    await test.step('and without a popup, in the whole page', async () => {
      const { context, page } = await browserOf(browser, google.url);
      await page.addInitScript(() => {
        window.open = () => null;
      });
      await page.goto('/login');
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await page.getByRole('link', { name: 'liza@elsewhere.example' }).click();
      await expect(said(page)).toHaveText(`Only @${domain} Google accounts are allowed.`);
      await expect(page).toHaveURL('/login');
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await page.getByRole('link', { name: `liza@${domain}` }).click();
      await expect(page.getByText('Your account has no role yet.')).toBeVisible();
      await context.close();
    });
  });
});

test('a forgotten password is reset by the link in an email', async ({ page, api, server }) => {
  const role = await makeRole(api, { apps: { storeCount: { view: true } } });
  const person = await makePerson(api, 'Rosa', role.id);
  await page.context().clearCookies();
  await page.goto('/login');
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL('/reset-password');
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText(/If .+ has an account, a link/)).toBeVisible();

  // The invitation was the first email.
  const link = await linkTo(server, person.email, 2);
  await page.goto(link);
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  const next = page.getByLabel('New password');
  await next.fill('short');
  await expect(page.getByText('3 more characters.')).toBeVisible();
  await next.fill('password1');
  await expect(page.getByText('Many people use this one. Put words together instead.')).toBeVisible();
  await page.getByRole('button', { name: 'Set password' }).click();
  // The server checks the list itself.
  await expect(said(page)).toBeVisible();
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(next).toHaveAttribute('type', 'text');
  await next.fill(another);
  await expect(page.getByText('Strong.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your password is set. Sign in with it.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await field(page).fill(another);
  await submit(page).click();
  await expect(page).toHaveURL('/store-count');

  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Send me a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});

test('a user applies, and replaces the password they were given', async ({ page, api, browser, baseURL }) => {
  await test.step('a user applies for access', async () => {
    await page.context().clearCookies();
    await page.goto('/apply');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send application' }).click();
    await expect(page.getByText('Enter your name.')).toBeVisible();
    await expect(page.getByLabel('Name')).toBeFocused();
    const values = {
      name: 'Ben Santos',
      email: 'ben.santos@larder.example',
      mobile: '0917 555 0101',
      position: 'Store manager',
      store: 'Cubao',
      reason: 'Daily counts',
    };
    for (const [name, value] of Object.entries(values)) await page.locator(`[name=${name}]`).fill(value);
    await page.getByRole('button', { name: 'Send application' }).click();
    await expect(page.getByText('Your request was received.')).toBeVisible();
    await expectAccessible(page);
    await api.signIn();
    const { items } = await api.call<{ items: { email: string; state: string }[] }>(
      'GET',
      '/api/applications?state=pending',
    );
    expect(items.map(({ email }) => email)).toContain(values.email);
  });

  await test.step('a password that was handed over must be replaced first', async () => {
    const role = await makeRole(api, { apps: { branchOps: { view: true }, storeCount: { view: true } } });
    const person = await makeNewcomer(api, 'Mila', role.id);
    const { context, page } = await browserOf(browser, baseURL ?? '');
    await signIn(page, person.email, person.password);
    await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible();
    await expect(page.getByLabel('Password you were given')).toHaveCount(0);
    await expectAccessible(page);
    await page.goto('/branch-ops');
    await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible();
    await page.getByLabel('Password you were given').fill(person.password);
    await page.getByLabel('New password').fill(person.password);
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(said(page)).toHaveText('Choose another password than the one you were given.');
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page.getByRole('heading', { name: 'Mila' })).toBeVisible();
    await expect(page).toHaveURL('/branch-ops');
    await context.close();
  });
});

test('a role can require the second factor, which is then asked for at every sign-in', async ({
  browser,
  baseURL,
  api,
}) => {
  const role = await makeRole(api, { apps: { storeCount: { view: true } } }, true);
  const person = await makePerson(api, 'Nilo', role.id);
  const { context, page } = await browserOf(browser, baseURL ?? '');
  await enter(page, person.email);
  await expect(page.getByRole('heading', { name: 'Set up a second step' })).toBeVisible();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectAccessible(page);
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code').fill('000000');
  await expect(said(page)).toBeVisible();
  await page.getByLabel('Code').fill(totp(secret));
  await expect(page.getByText('Keep these recovery codes somewhere safe')).toBeVisible();
  const codes = await page.locator('ul li').allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page).toHaveURL('/store-count');

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
  await signIn(page, person.email, password);
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  await expect(page.getByLabel('Code')).toHaveAttribute('autocomplete', 'one-time-code');
  await expectAccessible(page);
  await page.getByLabel('Code').fill('000000');
  await expect(said(page)).toContainText('The code is not right.');
  await expect(page.getByLabel('Code')).toBeFocused();
  // Pasted with a space, as apps show it; the next step's code, as each is valid once.
  const code = totp(secret, 1);
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text', text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, `${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(page).toHaveURL('/store-count');

  await context.clearCookies();
  await signIn(page, person.email, password);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await submit(page).click();
  await expect(page).toHaveURL('/store-count');
  await context.close();
});

test.describe('an empty server', () => {
  test('lets the holder of its link create the first account', async ({ browser }) => {
    const server = new Server();
    await server.serve();
    const { context, page } = await browserOf(browser, server.url);
    await page.goto('/first-start');
    await expect(page.getByRole('heading', { name: 'This link is not whole' })).toBeVisible();
    // Opened again in the same tab, only the fragment changes.
    await page.goto('/first-start#wrong');
    await fillFirst(page);
    await expect(said(page)).toBeVisible();

    await page.goto(`/first-start#${server.firstStart}`);
    await expect(page).toHaveURL('/first-start');
    await expectAccessible(page);
    await fillFirst(page);
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
    await context.clearCookies();
    await page.goto(`/first-start#${server.firstStart}`);
    await expect(page.getByRole('heading', { name: 'Larder is set up already' })).toBeVisible();
    await context.close();
    await server.stop();
  });

  async function fillFirst(page: Page): Promise<void> {
    await page.getByLabel('Name').fill('Ana Cruz');
    await page.getByLabel('Email').fill('ana@larder.example');
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Make my account' }).click();
  }
});

test('a page from before an update loads the new version', async ({ browser, baseURL }) => {
  // The service worker keeps the code of its version; this is the case without one.
  const context = await browser.newContext({ baseURL, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto('/');
  const gone = /\/assets\/Login-[^/]*\.js$/;
  await page.route(gone, (route) => route.fulfill({ status: 404, body: '' }));
  const reloaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await reloaded;
  await page.unroute(gone);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await context.close();
});
