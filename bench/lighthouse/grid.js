// Types into the quantities of a long document like a user: `node grid.js URL COOKIE` prints the milliseconds from each key
// to its paint, at a quarter of the machine's speed.
import { setTimeout as pause } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';
import { chromeFlags, chromePath } from './chromium.js';

const [url, cookie] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: chromePath, args: chromeFlags });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  await page.setExtraHTTPHeaders({ Cookie: cookie });
  await page.goto(url);
  const first = await page.waitForSelector('input[data-row="0"]');
  await pause(1500);
  const client = await page.createCDPSession();
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.evaluate(() => {
    globalThis.keys = [];
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        // The task after the next frame: by then it is painted.
        requestAnimationFrame(() =>
          setTimeout(() => globalThis.keys.push(performance.now() - timeStamp)),
        ),
      { capture: true },
    );
  });
  await first.click();
  // The first keys load code; they are not counted.
  const lines = 25;
  for (let line = 0; line < lines; line += 1) {
    for (const key of ['1', '2', 'Enter']) {
      await page.keyboard.press(key);
      await pause(60);
    }
    if (line === 0) await page.evaluate(() => globalThis.keys.splice(0));
  }
  await pause(500);
  const keys = await page.evaluate(() => globalThis.keys);
  const changed = await page.$$eval('input[data-row]', (all) => all.filter((one) => one.value === '12').length);
  if (changed < 5) throw new Error(`only ${changed} quantities were changed`);
  console.log(JSON.stringify({ keys }));
} finally {
  await browser.close();
}
