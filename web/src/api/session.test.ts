import { afterEach, describe, expect, it, vi } from 'vitest';
import { queries } from './queries';
import { authCode, authMessage, can, type Me, signIn } from './session';

describe('sign-in messages', () => {
  it.each([
    ['INVALID_EMAIL', 'Enter a valid email address.'],
    ['MISSING_EMAIL', 'Enter your email address.'],
    ['MISSING_PASSWORD', 'Enter your password.'],
    ['EMAIL_NOT_FOUND', 'No account exists with that email. Check the address and try again.'],
    ['INVALID_PASSWORD', 'Incorrect password. Please try again.'],
    ['INVALID_LOGIN_CREDENTIALS', 'Incorrect email or password.'],
    ['USER_DISABLED', 'This account has been disabled. Contact your administrator.'],
    [
      'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled.',
      'Too many attempts. Please wait and try again later.',
    ],
    ['INVALID_IDP_RESPONSE', 'The credentials provided are invalid.'],
    ['FEDERATED_USER_ID_ALREADY_LINKED', 'This credential is already linked to another account.'],
    ['SOMETHING_NEW', 'Authentication failed.'],
  ])('%s', (said, shown) => {
    expect(authMessage(authCode(said))).toBe(shown);
  });
});

describe('can', () => {
  const me = (superAdmin: boolean) =>
    ({
      user: { superAdmin },
      permissions: { lists: { allLists: { view: true } } },
    }) as unknown as Me;

  it('asks the role by category, page and action', () => {
    expect(can(me(false), 'lists/allLists')).toBe(true);
    expect(can(me(false), 'lists/allLists', 'edit')).toBe(false);
    expect(can(me(false), 'stores/storeList')).toBe(false);
  });

  it('lets a super admin and a page without permission through', () => {
    expect(can(me(true), 'stores/storeList', 'delete')).toBe(true);
    expect(can(me(false), undefined)).toBe(true);
  });
});

describe('signing in', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    queries.clear();
  });

  const answers = (status: number, body: unknown) => {
    const calls: string[] = [];
    vi.stubGlobal('fetch', async (path: string) => {
      calls.push(path);
      const first = calls.length === 1;
      return new Response(JSON.stringify(first ? body : { user: { name: 'Ana' } }), {
        status: first ? status : 200,
      });
    });
    return calls;
  };

  it('asks who is signed in, though it was just known that nobody is', async () => {
    queries.setQueryData(['me'], null);
    const calls = answers(200, {});
    await signIn('ana@larder.example', 'secret');
    expect(calls).toEqual(['/v1/accounts:signInWithPassword', '/api/me']);
    expect(queries.getQueryData(['me'])).toEqual({ user: { name: 'Ana' } });
  });

  it('says the message of the refusal', async () => {
    answers(400, { error: { message: 'USER_DISABLED' } });
    await expect(signIn('ana@larder.example', 'secret')).rejects.toThrow(
      'This account has been disabled. Contact your administrator.',
    );
  });

  it('says when the server cannot be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    await expect(signIn('ana@larder.example', 'secret')).rejects.toThrow(
      'Network error. Check your connection and try again.',
    );
  });
});
