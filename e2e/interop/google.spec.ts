// Google sign-in against a real OpenID provider: all refusals. The browser part is in outside.spec.ts.

import { choose, Visitor } from './google.ts';
import { client, OpenIdProvider } from '../support/oidc.ts';
import { Server } from '../support/server.ts';
import { expect, test } from '@playwright/test';

const domain = 'larder.example';
const provider = new OpenIdProvider([
  { sub: 'own', email: `liza@${domain}`, email_verified: true, name: 'Liza Reyes', hd: domain },
  { sub: 'other', email: 'liza@elsewhere.example', email_verified: true, name: 'Liza', hd: 'elsewhere.example' },
  { sub: 'no-hd', email: `jun@${domain}`, email_verified: true, name: 'Jun' },
  { sub: 'no-hd-unverified', email: `kim@${domain}`, email_verified: false, name: 'Kim' },
  { sub: 'unverified', email: `new@${domain}`, email_verified: false, name: 'New', hd: domain },
  { sub: 'suffix', email: `eve@not${domain}`, email_verified: true, name: 'Eve', hd: domain },
  { sub: 'second', email: `liza@${domain}`, email_verified: true, name: 'Another Liza', hd: domain },
]);
let server: Server;

test.beforeAll(async () => {
  await provider.start();
  server = await Server.start({
    LARDER_COMPANY_DOMAIN: domain,
    LARDER_GOOGLE_ISSUER: provider.issuer,
    LARDER_GOOGLE_CLIENT_ID: client.id,
    LARDER_GOOGLE_CLIENT_SECRET: client.secret,
  });
  provider.allow(`${server.url}/api/session/google/callback`);
});

test.afterAll(async () => {
  await server.stop();
  await provider.stop();
});

interface Outcome {
  ok: boolean;
  code?: string;
  message?: string;
}

/** The outcome shown by the last page of a sign-in. */
async function outcome(answer: Response): Promise<Outcome> {
  const said = /name="larder-result" content="([^"]*)"/.exec(await answer.text())?.[1] ?? '{}';
  return JSON.parse(said.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<')) as Outcome;
}

async function leave(visitor: Visitor): Promise<string> {
  const answer = await visitor.get(`${server.url}/api/session/google/start?mode=popup`);
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

async function signIn(sub: string): Promise<{ visitor: Visitor; said: Outcome; back: URL }> {
  const visitor = new Visitor();
  const back = await choose(provider, await leave(visitor), sub);
  return { visitor, back, said: await outcome(await visitor.get(back)) };
}

/** Follows a sign-in from its authorize URL. */
async function backFrom(visitor: Visitor, authorize: string, sub: string): Promise<Outcome> {
  return outcome(await visitor.get(await choose(provider, authorize, sub)));
}

const REFUSED = `Only @${domain} Google accounts are allowed.`;

test('company users sign in, choose an account each time, and cannot be redirected elsewhere', async () => {
  await test.step('the provider is asked for a company account, chosen each time', async () => {
    const { visitor, said } = await signIn('own');
    expect(said.ok).toBe(true);
    expect(provider.asked.get('hd')).toBe(domain);
    expect(provider.asked.get('prompt')).toBe('select_account');
    expect(provider.asked.get('code_challenge_method')).toBe('S256');
    const me = await visitor.get(`${server.url}/api/me`);
    const { user, apps } = (await me.json()) as { user: { email: string; roleId: null }; apps: string[] };
    expect(user.email).toBe(`liza@${domain}`);
    expect(user.roleId).toBeNull();
    expect(apps).toEqual([]);
  });

  await test.step('cancelling at the provider is reported as such', async () => {
    const { said } = await signIn('cancel');
    expect(said).toMatchObject({ ok: false, code: 'auth/popup-closed-by-user' });
  });

  await test.step('the return address cannot lead elsewhere', async () => {
    for (const returnTo of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const visitor = new Visitor();
      const query = new URLSearchParams({ mode: 'redirect', returnTo });
      const left = await visitor.get(`${server.url}/api/session/google/start?${query}`);
      const back = await choose(provider, left.headers.get('location') ?? '', 'own');
      expect(await outcome(await visitor.get(back))).toMatchObject({ ok: true, returnTo: '/' });
    }
  });
});

test('responses that do not belong to this sign-in are refused', async () => {
  for (const [sub, what] of [
    ['other', 'another domain'],
    ['suffix', "an address that only looks like the company's"],
  ] as const) {
    await test.step(`${what} is refused`, async () => {
      const { visitor, said } = await signIn(sub);
      expect(said).toMatchObject({ ok: false, message: REFUSED });
      expect(visitor.has('__Host-sid')).toBe(false);
    });
  }

  await test.step('a personal account with a company address is refused with the reason', async () => {
    const { visitor, said } = await signIn('no-hd');
    expect(said).toMatchObject({ ok: false, code: 'larder/not-managed' });
    expect(said.message).toMatch(/it is a personal account that the company does not manage\. Sign in with your password/);
    expect(visitor.has('__Host-sid')).toBe(false);
  });

  await test.step('an address that Google has not verified is refused', async () => {
    const { visitor, said } = await signIn('unverified');
    expect(said.ok).toBe(false);
    expect(visitor.has('__Host-sid')).toBe(false);
  });

  await test.step('a repeated callback is refused', async () => {
    const { visitor, back } = await signIn('own');
    expect(await outcome(await visitor.get(back))).toMatchObject({ ok: false, code: 'auth/invalid-credential' });
  });

  await test.step('a changed state is refused', async () => {
    const visitor = new Visitor();
    const back = await choose(provider, await leave(visitor), 'own');
    back.searchParams.set('state', `${back.searchParams.get('state')}x`);
    expect(await outcome(await visitor.get(back))).toMatchObject({ ok: false, code: 'auth/invalid-credential' });
    expect(visitor.has('__Host-sid')).toBe(false);
  });

  await test.step("another sign-in's code is refused", async () => {
    const [mine, theirs] = [new Visitor(), new Visitor()];
    const back = await choose(provider, await leave(mine), 'own');
    const other = await choose(provider, await leave(theirs), 'own');
    back.searchParams.set('code', other.searchParams.get('code') ?? '');
    expect(await outcome(await mine.get(back))).toMatchObject({ ok: false, code: 'auth/invalid-credential' });
    expect(mine.has('__Host-sid')).toBe(false);
  });

  await test.step("no user can be signed in to another account by a link", async () => {
    const [attacker, victim] = [new Visitor(), new Visitor()];
    const back = await choose(provider, await leave(attacker), 'own');
    await leave(victim);
    expect(await outcome(await victim.get(back))).toMatchObject({ ok: false, code: 'auth/invalid-credential' });
    expect(victim.has('__Host-sid')).toBe(false);
  });

  await test.step("a response in the name of another provider is refused", async () => {
    const visitor = new Visitor();
    const back = await choose(provider, await leave(visitor), 'own');
    back.searchParams.set('iss', 'https://another.example');
    expect(await outcome(await visitor.get(back))).toMatchObject({ ok: false, code: 'auth/invalid-credential' });
  });

  await test.step('a second Google account with the same address does not get the first account', async () => {
    await signIn('own');
    const { visitor, said } = await signIn('second');
    expect(said).toMatchObject({ ok: false, code: 'auth/account-exists-with-different-credential' });
    expect(visitor.has('__Host-sid')).toBe(false);
  });
});

test('two clicks are two sign-ins, and both succeed', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const visitor = new Visitor();
    const left = [await leave(visitor), await leave(visitor)];
    for (const nth of order) {
      expect(await backFrom(visitor, left[nth] ?? '', 'own')).toMatchObject({ ok: true });
      expect((await visitor.get(`${server.url}/api/me`)).status).toBe(200);
    }
  }
});

test('a setting admits verified company addresses without a Workspace', async () => {
  const open = await Server.start({
    LARDER_COMPANY_DOMAIN: domain,
    LARDER_GOOGLE_ISSUER: provider.issuer,
    LARDER_GOOGLE_CLIENT_ID: client.id,
    LARDER_GOOGLE_CLIENT_SECRET: client.secret,
    LARDER_GOOGLE_WITHOUT_WORKSPACE: 'true',
  });
  try {
    provider.allow(`${open.url}/api/session/google/callback`);
    for (const [sub, said] of [
      ['no-hd', { ok: true }],
      ['no-hd-unverified', { ok: false, code: 'larder/unverified-address' }],
      ['other', { ok: false, code: 'larder/company-domain', message: REFUSED }],
    ] as const) {
      const visitor = new Visitor();
      const answer = await visitor.get(`${open.url}/api/session/google/start?mode=popup`);
      const back = await choose(provider, answer.headers.get('location') ?? '', sub);
      expect(await outcome(await visitor.get(back))).toMatchObject(said);
      expect(provider.asked.has('hd')).toBe(false);
    }
  } finally {
    await open.stop();
  }
});
