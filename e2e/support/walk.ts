// Navigation within the console, without reloading it.

import { expect, type Page, type Request } from '@playwright/test';

/** Navigates within the console, as by its menus. */
export async function walkTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, address);
}

/** An intermediate page, for a target that looks like the current one. */
const ASIDE = '/lists';

/** Opens a page: by navigating, or by loading it if none is open. */
export async function open(page: Page, base: string, address: string): Promise<void> {
  const here = page.url().startsWith(base) ? new URL(page.url()).pathname : null;
  const there = address.split('?')[0];
  if (here === null || (here === there && here === ASIDE)) {
    await page.goto(base + address);
    return;
  }
  if (here === there) await walkAndSee(page, ASIDE);
  await walkAndSee(page, address);
}

/** Navigates to a page with another heading, and waits for that. */
async function walkAndSee(page: Page, address: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.textContent();
  await walkTo(page, address);
  await expect(heading, address).not.toHaveText(before ?? '');
}

/** A page's requests in progress. */
export class Pending {
  readonly #asked = new Set<Request>();

  constructor(private readonly page: Page) {
    // The event stream stays open.
    page.on('request', (request) => new URL(request.url()).pathname !== '/api/live' && this.#asked.add(request));
    page.on('requestfinished', (request) => this.#asked.delete(request));
    page.on('requestfailed', (request) => this.#asked.delete(request));
  }

  /** Waits until there are no requests, and their results are rendered. */
  async none(): Promise<void> {
    for (let still = 0; still < 2; ) {
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 20))));
      still = this.#asked.size === 0 ? still + 1 : 0;
    }
  }
}
