// People and roles to sign in as, made the way an administrator makes them.

import type { Browser, BrowserContext, Page } from '@playwright/test';
import { Api } from './test.ts';

export interface Person {
  id: string;
  email: string;
  password: string;
  revision: number;
}

interface UserWire {
  id: string;
  revision: number;
  tempPassword?: string | null;
}

/** What everybody here signs in with. */
export const password = 'adobo lantern tricycle';

let made = 0;

export type Rights = Record<string, Record<string, Record<string, true>>>;

export async function makeRole(api: Api, permissions: Rights, requireTotp = false): Promise<{ id: string; revision: number }> {
  made += 1;
  return api.call('POST', '/api/roles', { name: `Role ${made}`, description: '', permissions, requireTotp });
}

async function makeUser(api: Api, name: string, roleId: string, how: 'temporary' | 'invite') {
  made += 1;
  const email = `${name.toLowerCase()}${made}@larder.example`;
  const user = await api.call<UserWire>('POST', '/api/users', {
    email,
    name,
    roleId,
    storeIds: null,
    billable: false,
    superAdmin: false,
    password: how,
  });
  return { ...user, email };
}

/** Somebody who has set their password by the link they were sent. */
export async function makePerson(api: Api, name: string, roleId = ''): Promise<Person> {
  const { id, email } = await makeUser(api, name, roleId, 'invite');
  const { link } = await api.call<{ link: string }>('POST', `/api/users/${id}/reset-link`, { mail: false });
  const oobCode = new URL(link).searchParams.get('oobCode');
  await api.call('POST', '/v1/accounts:resetPassword', { oobCode, newPassword: password });
  const { revision } = await api.call<UserWire>('GET', `/api/users/${id}`);
  return { id, email, password, revision };
}

/** Somebody with the password the server made for them. */
export async function makeNewcomer(api: Api, name: string, roleId = ''): Promise<Person> {
  const { id, email } = await makeUser(api, name, roleId, 'temporary');
  for (const until = Date.now() + 20_000; Date.now() < until; ) {
    const now = await api.call<UserWire>('GET', `/api/users/${id}`);
    if (now.tempPassword) return { id, email, password: now.tempPassword, revision: now.revision };
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no password for ${email}`);
}

/** A browser of their own. */
export async function browserOf(browser: Browser, baseURL: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } });
  return { context, page: await context.newPage() };
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in and waits until the console is open. */
export async function enter(page: Page, email: string, secret = password): Promise<void> {
  await signIn(page, email, secret);
  await page.getByRole('button', { name: /^Signing? in/ }).waitFor({ state: 'detached' });
}

/** Signs in without the form: for whoever opens a page next, and is not there to try signing in. */
export async function admit(context: BrowserContext, url: string, email: string, secret = password): Promise<Api> {
  const api = new Api(context.request, url);
  await api.signIn(email, secret);
  return api;
}
