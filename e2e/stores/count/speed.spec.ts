// Four hundred items on a slow phone: what is typed shows at once. Printed, not asserted; only the number of rows drawn is.

import { whole } from '../../support/browser.ts';
import { address, field, makeCounted, readyForOffline, today } from '../../support/counts.ts';
import { PHONE } from '../../support/looks.ts';
import { admit } from '../../support/people.ts';
import { admin } from '../../support/server.ts';
import { expect, test } from '../../support/test.ts';

// As in a real browser: the worker that lets the console start without a network is there.
test.use({ serviceWorkers: 'allow', launchOptions: whole });
test.describe.configure({ mode: 'parallel' });

const NAMES = Array.from({ length: 400 }, (_, i) => `Item ${String(i).padStart(3, '0')}`);

/** Between two keys: two and a half times the pace of people who type figures for a living. */
const PACE = 120;

/** A figure as it is printed: milliseconds, the middle one and the slowest in twenty. */
function told(what: string, taken: readonly number[]): string {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return `${what}: median ${at(0.5)} ms, 95% ${at(0.95)} ms, slowest ${at(0.9999)} ms`;
}

test('typing and going on among 400 items draws no more than the rows concerned, and opening needs no network', async ({ browser, baseURL, api }) => {
  test.slow();
  const { storeId } = await makeCounted(api, {}, NAMES);
  // A phone: a mouse that lies on the page would be asked what is under it at every frame.
  const context = await browser.newContext({ baseURL, viewport: PHONE, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  await admit(context, baseURL ?? '', admin.email, admin.password);
  await page.addInitScript(() => {
    const look = () => {
      const start = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Start counting');
      const ready = document.querySelector('[data-item]') && start && !start.disabled;
      requestAnimationFrame(ready ? () => setTimeout(() => Object.assign(window, { opened: performance.now() })) : look);
    };
    look();
  });
  await page.goto(address('/store-count', storeId));
  await expect(page.getByText('0 of 400 counted')).toBeVisible();
  await expect(page.locator('[data-item]')).toHaveCount(400);
  await readyForOffline(page);
  await page.getByRole('button', { name: 'Start counting' }).tap();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  // Every key and every step, from the event to the frame after it.
  await page.evaluate(() => {
    const taken = { keys: [] as number[], steps: [] as number[] };
    const changed = new Set<Element>();
    Object.assign(window, { taken, changed });
    addEventListener(
      'keydown',
      ({ key, timeStamp }) => {
        const list = key === 'Enter' ? taken.steps : taken.keys;
        requestAnimationFrame(() => setTimeout(() => list.push(performance.now() - timeStamp)));
      },
      { capture: true },
    );
    new MutationObserver((all) => {
      for (const { target } of all) {
        const element = target instanceof Element ? target : target.parentElement;
        const row = element?.closest('[data-item]');
        if (row) changed.add(row);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const rows = () => page.evaluate(() => (window as unknown as { changed: Set<Element> }).changed.size);
  // By the keyboard alone: looking for the field would be counted, too.
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('12*6', { delay: PACE });
  expect(await rows(), 'typing draws no row').toBe(0);
  for (let i = 0; i < 24; i += 1) {
    await page.waitForTimeout(PACE);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(PACE);
    await page.keyboard.type(String(i + 3), { delay: PACE });
  }
  expect(await rows(), 'each step draws the row that was left and the one that comes').toBeLessThanOrEqual(26);
  const taken = await page.evaluate(() => (window as unknown as { taken: { keys: number[]; steps: number[] } }).taken);
  console.log(`    at a quarter of the speed, ${told('a key', taken.keys)}; ${told('a step to the next item', taken.steps)}`);

  await page.keyboard.press('Escape');
  await expect(page.getByText(/^2[45] of 400 counted$/).first()).toBeVisible();
  await context.setOffline(true);
  const openings: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => 'opened' in window);
    openings.push(await page.evaluate(() => (window as unknown as { opened: number }).opened));
    await expect(page.locator('[data-item]')).toHaveCount(400);
  }
  console.log(`    at a quarter of the speed and without a network, ${told('to the first row', openings)}`);
  await context.close();
});

test('a full count of 400 items, taken without a network, is less than 30 kB on the wire', async ({ signedIn: page, api, complaints }) => {
  test.slow();
  const { storeId } = await makeCounted(api, {}, NAMES);
  // The browser does not tell how long a packed body was.
  await page.addInitScript(() => {
    const sent: number[] = [];
    Object.assign(window, { sent, tries: 0 });
    const ask = window.fetch;
    window.fetch = async (input, init) => {
      if (String(input).endsWith('/count/batch')) (window as unknown as { tries: number }).tries += 1;
      const answer = await ask(input, init);
      const body = init?.body;
      // What found no network went nowhere.
      if (String(input).endsWith('/count/batch')) sent.push(body instanceof Blob ? body.size : String(body ?? '').length);
      return answer;
    };
  });
  await page.goto(address('/store-count', storeId));
  await expect(page.getByText('0 of 400 counted')).toBeVisible();
  await page.getByRole('button', { name: 'Start counting' }).click();
  await expect(field(page)).toBeFocused();
  await page.context().setOffline(true);
  const began = Date.now();
  for (let i = 0; i < 400; i += 1) {
    await page.keyboard.type(String(i % 37));
    await page.keyboard.press('Enter');
  }
  await expect(page.getByText('400 of 400 counted').first()).toBeVisible();
  // Now and then, because a browser may be wrong about its network, but not at every count.
  const tries = await page.evaluate(() => (window as unknown as { tries: number }).tries);
  const minutes = (Date.now() - began) / 60_000;
  expect(tries, 'tries without a network').toBeLessThanOrEqual(Math.ceil(minutes * 2) + 2);
  await page.context().setOffline(false);
  const counted = async () =>
    (await api.call<{ entries: unknown[] }>('GET', `/api/stores/count/entries?storeId=${storeId}&date=${today()}`)).entries.length;
  await expect.poll(counted, { timeout: 40_000 }).toBe(400);
  const sent = await page.evaluate(() => (window as unknown as { sent: number[] }).sent);
  const bytes = sent.reduce((sum, size) => sum + size, 0);
  console.log(`    400 counts in ${sent.length} requests: ${bytes} bytes`);
  expect(bytes).toBeGreaterThan(400);
  expect(bytes).toBeLessThan(30_000);
  // Without a network nothing can be asked, and the browser says so.
  expect(complaints.splice(0).filter((said) => !said.includes('net::ERR_'))).toEqual([]);
});
