import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AuthError,
  authCode,
  authMessage,
  checkResetCode,
  errorText,
  resetErrorText,
  sendPasswordReset,
  signInWithPassword,
} from './identity';
import { Problem } from './problem';

vi.mock('./device', () => ({ attest: async () => 'a token' }));

describe('sign-in messages', () => {
  it.each([
    ['INVALID_EMAIL', 'Enter a valid email address.'],
    ['MISSING_EMAIL', 'Enter your email address.'],
    ['MISSING_PASSWORD', 'Enter your password.'],
    ['INVALID_CREDENTIAL', 'The credentials provided are invalid.'],
    ['INVALID_IDP_RESPONSE', 'The credentials provided are invalid.'],
    ['INVALID_LOGIN_CREDENTIALS', 'Incorrect email or password.'],
    ['USER_DISABLED', 'This account has been disabled. Contact your administrator.'],
    ['EMAIL_NOT_FOUND', 'No account exists with that email. Check the address and try again.'],
    ['USER_NOT_FOUND', 'No account exists with that email. Check the address and try again.'],
    ['INVALID_PASSWORD', 'Incorrect password. Please try again.'],
    ['TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many attempts. Please wait and try again later.'],
    [
      'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled.',
      'Too many attempts. Please wait and try again later.',
    ],
    ['RESET_PASSWORD_EXCEED_LIMIT', 'Too many attempts. Please wait and try again later.'],
    ['INTERNAL_ERROR', 'Something went wrong. Please try again.'],
    ['FEDERATED_USER_ID_ALREADY_LINKED', 'This credential is already linked to another account.'],
    ['SOMETHING_NEW', 'Authentication failed.'],
    ['', 'Authentication failed.'],
  ])('%s', (code, shown) => {
    expect(authMessage(authCode(code))).toBe(shown);
  });

  it.each([
    ['auth/network-request-failed', 'Network error. Check your connection and try again.'],
    ['auth/popup-closed-by-user', 'The sign-in popup was closed before completing.'],
    ['auth/cancelled-popup-request', 'Another sign-in attempt is already in progress.'],
    ['auth/popup-blocked', 'Your browser blocked the sign-in popup. Allow popups and try again.'],
    [
      'auth/operation-not-supported-in-this-environment',
      "Sign-in isn't supported in this environment. Try a different browser.",
    ],
    [
      'auth/account-exists-with-different-credential',
      'An account already exists with this email using a different sign-in method.',
    ],
    ['auth/toString', 'Authentication failed.'],
  ])('%s, raised by the console', (code, shown) => {
    expect(authMessage(code)).toBe(shown);
  });

  it("shows a plain message as is, otherwise the form's message", () => {
    expect(errorText('Only @larder.example Google accounts are allowed.', 'x')).toMatch(/^Only @/);
    expect(errorText(new Error('as it is'), 'Login failed')).toBe('as it is');
    expect(errorText(new Error(''), 'Login failed')).toBe('Login failed');
    expect(errorText(undefined, 'Google sign-in failed')).toBe('Google sign-in failed');
  });
});

describe('the sign-in endpoints', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  function answers(status: number, body: string | object) {
    const calls: { path: string; init: RequestInit }[] = [];
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      calls.push({ path, init });
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
    });
    return calls;
  }

  it('receive the attestation with the password', async () => {
    const calls = answers(200, { localId: 'u1' });
    expect(await signInWithPassword('ana@larder.example', 'secret', 'tablet')).toEqual({
      pending: null,
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.path).toBe('/v1/accounts:signInWithPassword');
    expect(calls[0]?.init.headers).toMatchObject({
      'X-Larder': '1',
      'X-Device-Attestation': 'a token',
    });
    expect(JSON.parse(String(calls[0]?.init.body))).toEqual({
      email: 'ana@larder.example',
      password: 'secret',
      device: 'tablet',
    });
  });

  it('may ask for a second factor', async () => {
    answers(200, { mfaPendingCredential: 'p', mfaInfo: [{ mfaEnrollmentId: 'totp' }] });
    expect(await signInWithPassword('a@b.c', 'x')).toEqual({ pending: 'p' });
  });

  it('add an explanation to their code', async () => {
    answers(400, { error: { code: 400, message: 'WEAK_PASSWORD : Add another word.' } });
    const refused = await checkResetCode('x').catch((error) => error);
    expect(refused).toBeInstanceOf(AuthError);
    expect(refused.code).toBe('auth/weak-password');
    expect(refused.explanation).toBe('Add another word.');
  });

  it('report a rate limit in plain text', async () => {
    answers(429, 'slow down');
    await expect(sendPasswordReset('a@b.c')).rejects.toThrow(
      'Too many attempts. Please wait and try again later.',
    );
  });

  it.each([
    [500, ''],
    [500, '<html>'],
    [502, '<html>Bad gateway</html>'],
    [503, {}],
    [200, '<html>Sign in to this network</html>'],
    [200, ''],
  ])("fall back to the form's message if they send none: %i %o", async (status, body) => {
    answers(status, body);
    const signIn = await signInWithPassword('a@b.c', 'x').catch((error) => error);
    expect(errorText(signIn, 'Login failed')).toBe('Login failed');
    const reset = await sendPasswordReset('a@b.c').catch((error) => error);
    expect(resetErrorText(reset)).toBe('Failed to send reset email');
  });

  it('may be unreachable', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    await expect(signInWithPassword('a@b.c', 'x')).rejects.toThrow(
      'Network error. Check your connection and try again.',
    );
    const reset = await sendPasswordReset('a@b.c').catch((error) => error);
    expect(resetErrorText(reset)).toBe('Failed to send reset email');
  });
});

describe('an API error', () => {
  const problem = (status: number, text: string) =>
    Problem.from(new Response(text || null, { status }));

  it.each([
    [500, ''],
    [500, '{}'],
    [503, 'busy'],
    [403, '<html>'],
  ])("without a message shows the form's: %i %s", async (status, text) => {
    const error = await problem(status, text);
    expect(errorText(error, 'Google sign-in failed')).toBe('Google sign-in failed');
    expect(resetErrorText(error)).toBe('Failed to send reset email');
  });

  it('with a message keeps it', async () => {
    const error = await problem(429, JSON.stringify({ detail: 'Five letters an hour. Wait.' }));
    expect(errorText(error, 'Login failed')).toBe('Five letters an hour. Wait.');
    expect(resetErrorText(error)).toBe('Five letters an hour. Wait.');
  });

  it('without a response is a network error for a sign-in, and a failed reset', () => {
    expect(errorText(Problem.offline(), 'Login failed')).toBe(
      'Network error. Check your connection and try again.',
    );
    expect(resetErrorText(Problem.offline())).toBe('Failed to send reset email');
  });
});
