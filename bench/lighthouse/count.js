// Uses the store count on a phone like a user, at a quarter of this machine's speed: `node count.js URL COOKIE ITEMS` prints
// the time of each key and each step to the next frame, and the time to reopen the list offline, until its first row can be
// tapped.
import { setTimeout as pause } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';
import { chromeFlags, chromePath } from './chromium.js';

const [url, cookie, items] = process.argv.slice(2);
const STEPS = 40;
const OPENINGS = 5;

const browser = await puppeteer.launch({ executablePath: chromePath, args: chromeFlags });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  const [name, value] = cookie.split('=');
  await page.setCookie({ name, value, url, secure: name.startsWith('__'), path: '/' });
  await page.evaluateOnNewDocument(() => {
    globalThis.taken = { keys: [], steps: [] };
    const heard = ({ key, timeStamp }) => {
      const list = key === 'Enter' ? globalThis.taken.steps : globalThis.taken.keys;
      requestAnimationFrame(() => setTimeout(() => list.push(performance.now() - timeStamp)));
    };
    addEventListener('keydown', heard, { capture: true });
    const look = () => {
      const start = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Start counting');
      const ready = document.querySelector('[data-item]') && start && !start.disabled;
      requestAnimationFrame(ready ? () => setTimeout(() => (globalThis.opened = performance.now())) : look);
    };
    look();
  });
  const button = (text) => page.locator(`::-p-xpath(//button[normalize-space()="${text}"])`);
  const opened = () => page.waitForFunction(() => globalThis.opened, { timeout: 60_000 });
  await page.goto(url);
  await opened();
  await page.waitForFunction((of) => document.body.textContent.includes(`of ${of} counted`), {}, items);
  // Wait until the service worker controls the page and idle work is done.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 100));
  });
  await pause(5_000);
  // With the mouse on the page, every frame would do a hit test.
  await (await button('Start counting').waitHandle()).tap();
  await page.waitForSelector('[role=group] input[data-unit=base]:focus');
  const client = await page.createCDPSession();
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  for (let i = 0; i < STEPS; i += 1) {
    await page.keyboard.type(String((i * 7) % 50), { delay: 90 });
    await page.keyboard.press('Enter');
    await pause(250);
  }
  const { keys, steps } = await page.evaluate(() => globalThis.taken);
  const counted = await page.evaluate(() => Number(document.body.textContent.match(/(\d+) of \d+ counted/)?.[1]));
  await pause(3_000);
  await page.setOfflineMode(true);
  const openings = [];
  for (let i = 0; i < OPENINGS; i += 1) {
    await page.reload({ waitUntil: 'domcontentloaded' });
    await opened();
    openings.push(await page.evaluate(() => globalThis.opened));
    await pause(1_000);
  }
  console.log(JSON.stringify({ keys, steps, counted, openings }));
} finally {
  await browser.close();
}
