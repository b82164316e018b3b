// The unmodified client library of the identity API, in the browser: persistence, restoring, outages.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { OpenIdProvider } from '../support/oidc.ts';
import { client as google, signedIdToken } from './google.ts';
import { admin, Server } from '../support/server.ts';
import { expect, test } from '@playwright/test';

const require = createRequire(import.meta.url);
const folder = require.resolve('firebase/package.json').replace('package.json', '');
const domain = 'larder.example';
const provider = new OpenIdProvider([
  { sub: 'g-1', email: `maria@${domain}`, email_verified: true, name: 'Maria Santos', hd: domain },
  { sub: 'g-2', email: 'maria@elsewhere.example', email_verified: true, name: 'Maria Elsewhere' },
]);
let server: Server;

test.beforeAll(async () => {
  await provider.start();
  server = await Server.start({
    LARDER_COMPANY_DOMAIN: domain,
    LARDER_GOOGLE_ISSUER: provider.issuer,
    LARDER_GOOGLE_CLIENT_ID: google.id,
    LARDER_GOOGLE_CLIENT_SECRET: google.secret,
  });
  provider.allow('http://127.0.0.1:9/code');
});

test.afterAll(async () => {
  await server.stop();
  await provider.stop();
});

/** A page on the server's origin that contains only the library. */
async function open(page: Page): Promise<void> {
  await page.route(`${server.url}/sdk/*`, async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').pop() ?? '';
    if (name === 'page') return route.fulfill({ contentType: 'text/html', body: PAGE });
    const code = readFileSync(`${folder}${name}`, 'utf8').replace(/https:\/\/www\.gstatic\.com\/firebasejs\/[\d.]+\//g, './');
    return route.fulfill({ contentType: 'text/javascript', body: code });
  });
  await page.goto(`${server.url}/sdk/page`);
  await page.waitForFunction(() => 'sdk' in window);
}

const PAGE = `<!doctype html><title>SDK</title><script type="module">
  import { initializeApp } from './firebase-app.js';
  import * as auth from './firebase-auth.js';
  const app = initializeApp({ apiKey: 'any', projectId: 'larder' });
  const it = auth.initializeAuth(app, { persistence: auth.indexedDBLocalPersistence });
  auth.connectAuthEmulator(it, location.origin, { disableWarnings: true });
  const code = (attempt) => attempt.then((r) => r?.user?.email ?? 'ok', (e) => e.code);
  window.sdk = {
    signIn: (email, password) => code(auth.signInWithEmailAndPassword(it, email, password)),
    google: (idToken) => code(auth.signInWithCredential(it, auth.GoogleAuthProvider.credential(idToken))),
    link: (idToken) => code(auth.linkWithCredential(it.currentUser, auth.GoogleAuthProvider.credential(idToken))),
    out: () => code(auth.signOut(it)),
    who: async () => { await it.authStateReady(); return it.currentUser?.email ?? null; },
    refresh: () => code(it.currentUser.getIdToken(true)),
    reload: () => code(it.currentUser.reload()),
    providers: () => it.currentUser.providerData.map((p) => p.providerId),
  };
</script>`;

type Sdk = Record<'signIn' | 'google' | 'link' | 'out' | 'who' | 'refresh' | 'reload' | 'providers', (...given: string[]) => Promise<unknown>>;
const call = (page: Page, name: keyof Sdk, ...given: string[]) =>
  page.evaluate(([name, given]) => (window as unknown as { sdk: Sdk }).sdk[name](...given), [name, given] as const);

test('the library signs in, persists and restores the session, and refuses foreign tokens', async ({ page }) => {
  await test.step('a sign-in survives a restart of page and server, until signing out', async () => {
    await open(page);
    expect(await call(page, 'signIn', admin.email, 'not this one')).toBe('auth/invalid-credential');
    expect(await call(page, 'signIn', admin.email, admin.password)).toBe(admin.email);
    await page.reload();
    await page.waitForFunction(() => 'sdk' in window);
    expect(await call(page, 'who')).toBe(admin.email);
    await server.kill();
    await server.serve();
    await page.reload();
    await page.waitForFunction(() => 'sdk' in window);
    expect(await call(page, 'who')).toBe(admin.email);
    expect(await call(page, 'refresh')).toBe('ok');
    expect(await call(page, 'out')).toBe('ok');
    await page.reload();
    await page.waitForFunction(() => 'sdk' in window);
    expect(await call(page, 'who')).toBeNull();
  });

  await test.step('an outage of the lookup keeps the user signed in', async () => {
    await open(page);
    expect(await call(page, 'signIn', admin.email, admin.password)).toBe(admin.email);
    // The server's own response under overload: plain text, which the library takes for a network error.
    await page.route('**/accounts:lookup*', (route) =>
      route.fulfill({ status: 503, contentType: 'text/plain', body: 'Too busy. Try again later.' }),
    );
    await page.reload();
    await page.waitForFunction(() => 'sdk' in window);
    expect(await call(page, 'who')).toBe(admin.email);
    await page.unroute('**/accounts:lookup*');
    expect(await call(page, 'reload')).toBe('ok');
    // A stopped server must not sign out either.
    await server.kill();
    await page.evaluate(() => undefined);
    expect(await call(page, 'refresh')).toBe('auth/network-request-failed');
    expect(await call(page, 'who')).toBe(admin.email);
    await server.serve();
    expect(await call(page, 'refresh')).toBe('ok');
  });

  await test.step("a valid Google ID token signs in, foreign ones are refused", async () => {
    await open(page);
    expect(await call(page, 'google', await signedIdToken(provider, 'g-1'))).toBe(`maria@${domain}`);
    expect(await call(page, 'providers')).toEqual(['google.com']);
    expect(await call(page, 'who')).toBe(`maria@${domain}`);
    expect(await call(page, 'out')).toBe('ok');
    expect(await call(page, 'google', await signedIdToken(provider, 'g-2'))).toBe('auth/invalid-credential');
    const [head, , sign] = (await signedIdToken(provider, 'g-1')).split('.');
    const forged = Buffer.from(JSON.stringify({ sub: 'g-1', email: admin.email })).toString('base64url');
    expect(await call(page, 'google', [head, forged, sign].join('.'))).toBe('auth/invalid-credential');
    // Another signed-in user cannot take Maria's Google account.
    expect(await call(page, 'signIn', admin.email, admin.password)).toBe(admin.email);
    expect(await call(page, 'link', await signedIdToken(provider, 'g-1'))).toBe('auth/credential-already-in-use');
  });
});
