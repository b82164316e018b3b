// Four hundred items on a slow phone: what is typed shows at once. Printed, not asserted; only the number of rows drawn is.

import { address, field, makeCounted, today } from '../../support/counts.ts';
import { expect, test } from '../../support/test.ts';

test('typing and going on among 400 items draws no more than the rows concerned', async ({ signedIn: page, api }) => {
  test.slow();
  const names = Array.from({ length: 400 }, (_, i) => `Item ${String(i).padStart(3, '0')}`);
  const { storeId } = await makeCounted(api, {}, names);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address('/store-count', storeId));
  await expect(page.getByText('0 of 400 counted')).toBeVisible();
  await page.getByRole('button', { name: 'Start counting' }).click();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  // Every key and every step, from the event to the frame after it.
  await page.evaluate(() => {
    const taken: number[] = [];
    const changed = new Set<Element>();
    Object.assign(window, { taken, changed });
    addEventListener(
      'keydown',
      (event) => requestAnimationFrame(() => setTimeout(() => taken.push(performance.now() - event.timeStamp))),
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
  await page.keyboard.type('12*6', { delay: 60 });
  expect(await rows(), 'typing draws no row').toBe(0);
  for (let i = 0; i < 12; i += 1) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(String(i + 3), { delay: 60 });
  }
  expect(await rows(), 'each step draws the row that was left and the one that comes').toBeLessThanOrEqual(14);
  const taken = await page.evaluate(() => (window as unknown as { taken: number[] }).taken.sort((a, b) => a - b));
  const at = (share: number) => Math.round(taken[Math.floor(taken.length * share)] ?? 0);
  console.log(`    keys at a quarter of the speed: median ${at(0.5)} ms, 95% ${at(0.95)} ms, slowest ${at(0.999)} ms`);
});

test('a full count of 400 items, taken without a network, is less than 30 kB on the wire', async ({ signedIn: page, api, complaints }) => {
  test.slow();
  const names = Array.from({ length: 400 }, (_, i) => `Item ${String(i).padStart(3, '0')}`);
  const { storeId } = await makeCounted(api, {}, names);
  // The browser does not tell how long a packed body was.
  await page.addInitScript(() => {
    const sent: number[] = [];
    Object.assign(window, { sent });
    const ask = window.fetch;
    window.fetch = async (input, init) => {
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
  for (let i = 0; i < 400; i += 1) {
    await page.keyboard.type(String(i % 37));
    await page.keyboard.press('Enter');
  }
  await expect(page.getByText('400 of 400 counted').first()).toBeVisible();
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
