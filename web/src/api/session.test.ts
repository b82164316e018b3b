import { describe, expect, it } from 'vitest';
import { authCode, authMessage, can, type Me } from './session';

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
