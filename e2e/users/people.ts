// Users for tests, created over the API.

import type { Browser, Page } from '@playwright/test';
import { admit } from '../support/people.ts';
import { type Api, expect } from '../support/test.ts';

export interface Made {
  id: string;
  uid: string;
  name: string;
  email: string;
  revision: number;
}

export type Grants = Record<string, Record<string, Record<string, boolean>>>;

export const makeRole = (api: Api, name: string, permissions: Grants = {}) =>
  api.call<{ id: string; revision: number }>('POST', '/api/roles', { name, permissions });

export const makeStore = (api: Api, name: string, code: string) =>
  api.call<{ id: string }>('POST', '/api/stores/locations', { name, code });

/** An invited user who has never signed in. */
export function makeUser(api: Api, name: string, more: Record<string, unknown> = {}): Promise<Made> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@larder.example`;
  return api.call<Made>('POST', '/api/users', { name, email, password: 'invite', ...more });
}

/** Waits until the user's temporary password is available. */
export async function temporaryPassword(api: Api, id: string): Promise<string> {
  let password = '';
  await expect
    .poll(async () => {
      const user = await api.call<{ tempPassword?: string }>('GET', `/api/users/${id}`);
      password = user.tempPassword ?? '';
      return password;
    })
    .not.toBe('');
  return password;
}

/** A user with a role, signed in in a separate browser. */
export async function signedInWith(
  browser: Browser,
  url: string,
  api: Api,
  name: string,
  more: Record<string, unknown>,
): Promise<{ user: Made; page: Page; api: Api; close(): Promise<void> }> {
  const user = await makeUser(api, name, { ...more, password: 'temporary' });
  const first = await temporaryPassword(api, user.id);
  const context = await browser.newContext({ baseURL: url });
  const own = await admit(context, url, user.email, first);
  const chosen = 'a lantern over the harbour';
  await own.call('PUT', '/api/me/password', { currentPassword: first, newPassword: chosen });
  // Setting a password may end its own session.
  await own.signIn(user.email, chosen);
  const page = await context.newPage();
  return { user, page, api: own, close: () => context.close() };
}
