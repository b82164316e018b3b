// People and roles to sign in as, made the way an administrator makes them.

import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Api } from './test.ts';

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

let made = 0;

export type Rights = Record<string, Record<string, Record<string, true>>>;

export async function makeRole(api: Api, permissions: Rights, requireTotp = false): Promise<{ id: string; revision: number }> {
  made += 1;
  return api.call('POST', '/api/roles', { name: `Role ${made}`, description: '', permissions, requireTotp });
}

/** Somebody with the password the server made for them. */
export async function makePerson(api: Api, name: string, roleId = '', storeIds: string[] | null = null): Promise<Person> {
  made += 1;
  const email = `${name.toLowerCase()}${made}@larder.example`;
  const user = await api.call<UserWire>('POST', '/api/users', {
    email,
    name,
    roleId,
    storeIds,
    billable: false,
    superAdmin: false,
    password: 'temporary',
  });
  for (const until = Date.now() + 20_000; Date.now() < until; ) {
    const now = await api.call<UserWire>('GET', `/api/users/${user.id}`);
    if (now.tempPassword) return { id: user.id, email, password: now.tempPassword, revision: now.revision };
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

/** Signs in for the first time and sets a password of one's own. */
export async function settleIn(page: Page, person: Person, password: string): Promise<void> {
  await signIn(page, person.email, person.password);
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor({ state: 'detached' });
  person.password = password;
}
