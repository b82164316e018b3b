// Uses a long list as a person does: `node interact.js URL COOKIE` filters, sorts and scrolls, and prints what it took.
import { setTimeout as pause } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';
import { chromeFlags, chromePath } from './chromium.js';

const [url, cookie] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath: chromePath, args: chromeFlags });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  await page.setExtraHTTPHeaders({ Cookie: cookie });
  await page.evaluateOnNewDocument(() => {
    globalThis.slowest = 0;
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries()) {
        if (interactionId) globalThis.slowest = Math.max(globalThis.slowest, duration);
      }
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  await page.goto(url);
  await page.waitForSelector('tr[data-index="0"]');
  await pause(1000);

  /** The longest an input waited for its paint since the last time. */
  const slowest = async () => {
    await pause(300);
    return page.evaluate(() => {
      const found = globalThis.slowest;
      globalThis.slowest = 0;
      return Math.max(found, 16); // shorter ones are not told
    });
  };
  /** From an input until other rows are painted. */
  const untilRows = async (act) => {
    await page.evaluate(() => {
      const seen = () => document.querySelector('tr[data-index="0"]')?.textContent;
      const before = seen();
      globalThis.changed = new Promise((done) => {
        let started = 0;
        const note = (event) => {
          started ||= event.timeStamp;
        };
        addEventListener('keydown', note, { capture: true, once: true });
        addEventListener('pointerup', note, { capture: true, once: true });
        const look = () => {
          const there = seen() && seen() !== before;
          requestAnimationFrame(there ? () => done(performance.now() - started) : look);
        };
        look();
      });
    });
    await act();
    return page.evaluate(() => {
      const never = new Promise((done) => setTimeout(done, 10_000, -1));
      return Promise.race([globalThis.changed, never]);
    });
  };

  // By name first, which is the order they come in; every later click brings other rows, never seen before.
  const headers = await page.$$('th button');
  await headers[0].click();
  await pause(500);
  const sorts = [];
  for (const header of [headers[0], headers[1], headers[1], headers[3], headers[3]]) {
    sorts.push(await untilRows(() => header.click()));
  }
  const sortPaint = await slowest();

  await page.click('input[aria-label^="Filter"]');
  await page.keyboard.type('Root item 00', { delay: 120 });
  await pause(500);
  await slowest();
  await page.keyboard.type('42', { delay: 120 });
  await pause(500);
  const filterRows = await untilRows(() => page.keyboard.type('7'));
  const filterPaint = await slowest();
  await page.keyboard.press('Escape');
  await page.waitForFunction(
    () => Number(document.querySelector('table')?.getAttribute('aria-rowcount')) > 100,
  );
  await pause(500);

  const table = await (await page.$('table')).boundingBox();
  await page.evaluate(() => {
    globalThis.frames = [];
    const count = (now) => {
      globalThis.frames.push(now);
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  /** Frames a second while something goes on. */
  const frameRate = async (act) => {
    const since = await page.evaluate(() => performance.now());
    await act();
    return page.evaluate((from) => {
      const frames = globalThis.frames.filter((at) => at >= from);
      return ((frames.length - 1) / (frames.at(-1) - frames[0])) * 1000;
    }, since);
  };
  const client = await page.createCDPSession();
  const gesture = { yDistance: -6000, speed: 3000, gestureSourceType: 'mouse' };
  const idleFrames = await frameRate(() => pause(1000));
  const scrollFrames = await frameRate(() =>
    client.send('Input.synthesizeScrollGesture', { x: table.x + 300, y: 500, ...gesture }),
  );
  const scrolled = await page.evaluate(
    () => document.querySelector('table').parentElement.scrollTop,
  );
  console.log(JSON.stringify({ sorts, sortPaint, filterRows, filterPaint, idleFrames, scrollFrames, scrolled }));
} finally {
  await browser.close();
}
