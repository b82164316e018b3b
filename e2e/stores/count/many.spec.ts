// Four hundred items: rows rendered while typing, and bytes on the wire. The bench measures speed.

import { address, field, makeCounted, today } from '../../support/counts.ts';
import { PHONE } from '../../support/looks.ts';
import { expect, test } from '../../support/test.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow' });

const NAMES = Array.from({ length: 400 }, (_, i) => `Item ${String(i).padStart(3, '0')}`);

interface Watched {
  /** The rows rendered again. */
  changed: Set<Element>;
  /** The size of each batch that was sent. */
  sent: number[];
}

test('400 items: a step renders the rows concerned, and a full offline count takes less than 30 kB on the wire', async ({ signedIn: page, api, complaints }) => {
  test.slow();
  const { storeId } = await makeCounted(api, {}, NAMES);
  await page.setViewportSize(PHONE);
  await page.addInitScript(() => {
    const changed = new Set<Element>();
    const sent: number[] = [];
    Object.assign(window, { changed, sent });
    // The browser does not report the size of a compressed body.
    const ask = window.fetch;
    window.fetch = async (input, init) => {
      const answer = await ask(input, init);
      const body = init?.body;
      // Batches without a network are not counted.
      if (String(input).endsWith('/count/batch')) sent.push(body instanceof Blob ? body.size : String(body ?? '').length);
      return answer;
    };
  });
  await page.goto(address('/store-count', storeId));
  await expect(page.getByText('0 of 400 counted')).toBeVisible();
  await expect(page.locator('[data-item]')).toHaveCount(400);
  await page.getByRole('button', { name: 'Start counting' }).click();
  await expect(field(page)).toBeFocused();
  await page.context().setOffline(true);

  await test.step('typing renders no row, and a step the rows left and entered', async () => {
    await page.evaluate(() => {
      const { changed } = window as unknown as Watched;
      new MutationObserver((all) => {
        for (const { target } of all) {
          const element = target instanceof Element ? target : target.parentElement;
          const row = element?.closest('[data-item]');
          if (row) changed.add(row);
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    const rows = () => page.evaluate(() => (window as unknown as Watched).changed.size);
    // By keyboard alone: locating the field would be counted, too.
    await page.keyboard.type('12*6');
    expect(await rows(), 'typing draws no row').toBe(0);
    for (let i = 0; i < 24; i += 1) {
      await page.keyboard.press('Enter');
      await page.keyboard.type(String(i + 3));
    }
    expect(await rows(), 'each step draws the row that was left and the one that comes').toBeLessThanOrEqual(26);
  });

  await test.step('the rest is counted offline, and sent compactly', async () => {
    await page.keyboard.press('Enter');
    for (let i = 25; i < 400; i += 1) {
      await page.keyboard.type(String(i % 37));
      await page.keyboard.press('Enter');
    }
    await expect(page.getByText('400 of 400 counted').first()).toBeVisible();
    await page.context().setOffline(false);
    const counted = async () =>
      (await api.call<{ entries: unknown[] }>('GET', `/api/stores/count/entries?storeId=${storeId}&date=${today()}`)).entries.length;
    await expect.poll(counted, { timeout: 60_000 }).toBe(400);
    const sent = await page.evaluate(() => (window as unknown as Watched).sent);
    const bytes = sent.reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(400);
    expect(bytes).toBeLessThan(30_000);
  });
  // Offline requests fail, and the browser logs that.
  expect(complaints.splice(0).filter((said) => !said.includes('net::ERR_'))).toEqual([]);
});
