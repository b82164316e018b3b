// Ways through the console that do not load it anew.

import { expect, type Page } from '@playwright/test';

/** Goes on within the console, as by its menus. */
export async function walkTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, address);
}

/** Opens a page: by walking where its heading tells when it is there, by loading it where it does not. */
export async function open(page: Page, base: string, address: string): Promise<void> {
  const here = page.url().startsWith(base) ? new URL(page.url()).pathname : null;
  if (here === null || here === address.split('?')[0]) {
    await page.goto(base + address);
    return;
  }
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.textContent();
  await walkTo(page, address);
  await expect(heading, address).not.toHaveText(before ?? '');
}
