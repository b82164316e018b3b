// Fixtures of every test: a server, a signed-in user, checks for errors and accessibility.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type APIRequestContext, expect, type Page, test as base } from '@playwright/test';
import { atTestTime } from './clock.ts';
import { admin, Server } from './server.ts';

/** Calls the API like a page of the console. */
export class Api {
  constructor(
    private readonly request: APIRequestContext,
    private readonly url: string,
  ) {}

  async signIn(email = admin.email, password = admin.password): Promise<void> {
    await this.call('POST', '/v1/accounts:signInWithPassword', { email, password });
  }

  async call<T = Record<string, never>>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.request.fetch(this.url + path, {
      method,
      headers: { 'x-larder': '1', 'sec-fetch-site': 'same-origin', origin: this.url },
      ...(body === undefined ? {} : { data: body }),
    });
    const text = await answer.text();
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }
}

/**
 * Matches an address of `path` (a pattern) that has each of `params` (patterns such as `store=[a-z0-9]+`) in any order,
 * since pages write their parameters in an order of their own.
 */
export function addressOf(path: string, ...params: string[]): RegExp {
  return new RegExp(`${path}(?=\\?|$)${params.map((param) => `(?=.*[?&]${param}(&|$))`).join('')}`);
}

interface Fixtures {
  /** A page signed in as a super admin, also over `api`. */
  signedIn: Page;
  api: Api;
  /** Console messages and uncaught errors; the test fails if any are left at its end. */
  complaints: string[];
  /** A server with only its administrator. */
  server: Server;
}

/** The server of the current test file. */
interface Running {
  file: string;
  server: Server | undefined;
}

export const test = base.extend<Fixtures, { running: Running }>({
  // Every context of a test runs at its time, including those that tests open themselves.
  browser: [
    async ({ browser }, use) => {
      const open = browser.newContext.bind(browser);
      browser.newContext = async (options) => atTestTime(await open(options));
      await use(browser);
    },
    { scope: 'worker' },
  ],
  context: async ({ context }, use) => use(await atTestTime(context)),
  running: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern
    async ({}, use) => {
      const running: Running = { file: '', server: undefined };
      await use(running);
      await running.server?.stop();
    },
    { scope: 'worker' },
  ],
  // One per file, so that files do not affect each other.
  server: async ({ running }, use, { file }) => {
    if (running.file !== file || !running.server) {
      await running.server?.stop();
      Object.assign(running, { file, server: await Server.start() });
    }
    if (running.server) await use(running.server);
  },
  baseURL: async ({ server }, use) => use(server.url),
  api: async ({ page, server }, use) => {
    const api = new Api(page.context().request, server.url);
    await api.signIn();
    await use(api);
  },
  signedIn: async ({ page, api, complaints }, use) => {
    expect(api).toBeDefined();
    await use(page);
    expect(complaints, 'the console of the browser').toEqual([]);
  },
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await use(complaints);
  },
});

export { expect };

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * No accessibility fault, in light and in dark. Every rule is checked in light; in dark only those about colours, since
 * nothing else depends on the scheme.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.evaluate((chosen) => {
      localStorage.setItem('mantine-color-scheme-value', chosen);
      document.documentElement.setAttribute('data-mantine-color-scheme', chosen);
    }, scheme);
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
    const faults = await page.evaluate(async (chosen) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run(document, {
        resultTypes: ['violations'],
        ...(chosen === 'dark' && { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }),
      });
      return violations.map(({ id, nodes }) => `${chosen}: ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    }, scheme);
    expect(faults).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
