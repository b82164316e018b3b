// The unmodified client library of the identity API, in Node, against the running server.

import { deleteApp, type FirebaseApp, type FirebaseError, initializeApp } from 'firebase/app';
import {
  type Auth,
  confirmPasswordReset,
  connectAuthEmulator,
  getIdTokenResult,
  initializeAuth,
  inMemoryPersistence,
  reload,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  verifyPasswordResetCode,
} from 'firebase/auth';
import { Mailbox } from '../support/mail.ts';
import { admin, Server } from '../support/server.ts';
import { expect, test } from '@playwright/test';
import { ApiClient } from './api.ts';

const mailbox = new Mailbox();
let server: Server;
let api: ApiClient;
const apps: FirebaseApp[] = [];

function client(): Auth {
  const app = initializeApp({ apiKey: 'any', projectId: 'larder' }, `app-${apps.length}`);
  apps.push(app);
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, server.url, { disableWarnings: true });
  return auth;
}

/** The error code of a refused attempt. */
async function refusal(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => 'no refusal',
    (error: FirebaseError) => error.code,
  );
}

test.beforeAll(async () => {
  const smtp = await mailbox.start();
  server = await Server.start({ LARDER_SMTP_URL: `smtp://${smtp}`, LARDER_MAIL_FROM: 'Larder <larder@larder.example>' });
  api = await ApiClient.signedIn(server.url, admin.email, admin.password);
});

test.afterAll(async () => {
  await Promise.all(apps.map((app) => deleteApp(app)));
  await server.stop();
  await mailbox.stop();
});

test('signing in, refusals, tokens, sessions and a new password', async () => {
  await test.step('signs in, and every refusal has its code', async () => {
    const auth = client();
    const { user } = await signInWithEmailAndPassword(auth, admin.email, admin.password);
    expect(user.email).toBe(admin.email);
    expect(user.displayName).toBe(admin.name);
    expect(user.emailVerified).toBe(true);
    const token = await getIdTokenResult(user);
    expect(token.signInProvider).toBe('password');
    expect(token.claims.sub).toBe(user.uid);

    expect(await refusal(signInWithEmailAndPassword(auth, admin.email, 'not this one'))).toBe('auth/invalid-credential');
    expect(await refusal(signInWithEmailAndPassword(auth, 'nobody@larder.example', 'x'))).toBe('auth/invalid-credential');
    expect(await refusal(signInWithEmailAndPassword(auth, 'no address', 'x'))).toBe('auth/invalid-email');
    expect(await refusal(signInWithEmailAndPassword(auth, '', 'x'))).toMatch(/auth\/(missing|invalid)-email/);
    expect(await refusal(signInWithEmailAndPassword(auth, admin.email, ''))).toBe('auth/missing-password');

    const made = await api.user({ email: 'out@larder.example', name: 'Out Going' });
    expect((await signInWithEmailAndPassword(auth, made.email, made.password)).user.uid).toBe(made.uid);
    await api.change(made, { status: 'Disabled' });
    expect(await refusal(signInWithEmailAndPassword(auth, made.email, made.password))).toBe('auth/user-disabled');
  });

  await test.step('an address under guessing is locked for a while', async () => {
    const made = await api.user({ email: 'guessed@larder.example', name: 'Guessed At' });
    const auth = client();
    for (let guess = 0; guess < 5; guess++) {
      expect(await refusal(signInWithEmailAndPassword(auth, made.email, `guess ${guess}`))).toBe('auth/invalid-credential');
    }
    expect(await refusal(signInWithEmailAndPassword(auth, made.email, made.password))).toBe('auth/too-many-requests');
  });

  await test.step('ID tokens are cached and refreshed on demand', async () => {
    const auth = client();
    const { user } = await signInWithEmailAndPassword(auth, admin.email, admin.password);
    const first = await user.getIdToken();
    expect(await user.getIdToken()).toBe(first);
    await new Promise((done) => setTimeout(done, 1100));
    const second = await user.getIdToken(true);
    expect(second).not.toBe(first);
    await reload(user);
    const me = await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${second}` } });
    expect(me.status).toBe(200);
    await signOut(auth);
    expect(auth.currentUser).toBeNull();
  });

  await test.step('six clients of one session refresh at once and none is signed out', async () => {
    const auth = client();
    const { user } = await signInWithEmailAndPassword(auth, admin.email, admin.password);
    let shared = user.refreshToken;
    let refused = 0;
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          fetch(`${server.url}/securetoken.googleapis.com/v1/token?key=any`, {
            method: 'POST',
            body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: shared }),
          }),
        ),
      );
      refused += answers.filter(({ ok }) => !ok).length;
      const tokens = (await Promise.all(answers.map((answer) => answer.json()))) as { refresh_token: string }[];
      expect(new Set(tokens.map(({ refresh_token }) => refresh_token)).size).toBe(1);
      shared = tokens[0]?.refresh_token ?? '';
    }
    expect(refused).toBe(0);
  });

  await test.step('a password is reset by email, once', async () => {
    const made = await api.user({ email: 'forgot@larder.example', name: 'For Got' });
    const before = client();
    const old = await signInWithEmailAndPassword(before, made.email, made.password);

    const auth = client();
    await mailbox.letterTo(made.email); // the invitation
    await sendPasswordResetEmail(auth, made.email);
    const letter = await mailbox.letterTo(made.email, 2);
    const code = /oobCode=([\w-]+)/.exec(letter.text)?.[1] ?? '';
    expect(code).not.toBe('');
    expect(await verifyPasswordResetCode(auth, code)).toBe(made.email);
    expect(await refusal(confirmPasswordReset(auth, code, 'password1'))).toBe('auth/weak-password');
    await confirmPasswordReset(auth, code, 'a bangka under three moons');
    expect(await refusal(confirmPasswordReset(auth, code, 'a bangka under four moons'))).toBe('auth/invalid-action-code');

    expect(await refusal(old.user.getIdToken(true))).toMatch(/auth\/(user-token-expired|user-disabled|invalid-user-token)/);
    expect(await refusal(signInWithEmailAndPassword(auth, made.email, made.password))).toBe('auth/invalid-credential');
    const fresh = await signInWithEmailAndPassword(auth, made.email, 'a bangka under three moons');
    expect(fresh.user.uid).toBe(made.uid);

    // An unknown address gets the same response, and no email.
    await sendPasswordResetEmail(auth, 'nobody@larder.example');
  });

  await test.step('an ended session cannot refresh', async () => {
    const made = await api.user({ email: 'ended@larder.example', name: 'En Ded' });
    const auth = client();
    const { user } = await signInWithEmailAndPassword(auth, made.email, made.password);
    await api.call('POST', `/api/users/${made.id}/sign-out`);
    expect(await refusal(user.getIdToken(true))).toBe('auth/user-token-expired');
  });
});
