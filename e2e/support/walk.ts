// Ways through the console that do not load it anew.

import { expect, type Page, type Request } from '@playwright/test';

/** Goes on within the console, as by its menus. */
export async function walkTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, address);
}

/** Where to go by the way when a page is asked for that looks like the one that is there. */
const ASIDE = '/lists';

/** Opens a page: by walking, and by loading it where nothing is there yet. */
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

/** Walks to a page with another heading, and waits for that. */
async function walkAndSee(page: Page, address: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.textContent();
  await walkTo(page, address);
  await expect(heading, address).not.toHaveText(before ?? '');
}

/** What a page has asked the server for and has no answer to yet. */
export class Pending {
  readonly #asked = new Set<Request>();

  constructor(private readonly page: Page) {
    // The stream of changes stays open for good.
    page.on('request', (request) => new URL(request.url()).pathname !== '/api/live' && this.#asked.add(request));
    page.on('requestfinished', (request) => this.#asked.delete(request));
    page.on('requestfailed', (request) => this.#asked.delete(request));
  }

  /** Waits until nothing is asked any more, and what was answered is drawn. */
  async none(): Promise<void> {
    for (let still = 0; still < 2; ) {
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 20))));
      still = this.#asked.size === 0 ? still + 1 : 0;
    }
  }
}
