// Uses a long list like a user: `node interact.js URL COOKIE HOW` filters, sorts, scrolls and opens rows, and prints the
// times. HOW is JSON: `sorts`, the headers to click, each click showing other rows; `types`, the filter texts before, during
// and after measuring; `opens`, whether rows lead to pages of their own.
import { setTimeout as pause } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';
import { chromeFlags, chromePath } from './chromium.js';

const [url, cookie, how] = process.argv.slice(2);
const { sorts: clicked, types, opens: leads } = JSON.parse(how);
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

  /** The longest time from an input to its paint since the last call. */
  const slowest = async () => {
    await pause(300);
    return page.evaluate(() => {
      const found = globalThis.slowest;
      globalThis.slowest = 0;
      return Math.max(found, 16); // shorter ones are not told
    });
  };
  /** The time from an input until other content, ending with a text, is painted there. */
  const until = async (what, act, end = '') => {
    await page.evaluate((selector, wanted) => {
      const seen = () => document.querySelector(selector)?.textContent;
      const before = seen();
      globalThis.changed = new Promise((done) => {
        let started = 0;
        const note = (event) => {
          started ||= event.timeStamp;
        };
        addEventListener('keydown', note, { capture: true, once: true });
        addEventListener('pointerup', note, { capture: true, once: true });
        const look = () => {
          const there = seen() && seen() !== before && seen().endsWith(wanted);
          requestAnimationFrame(there ? () => done(performance.now() - started) : look);
        };
        look();
      });
    }, what, end);
    await act();
    return page.evaluate(() => {
      const never = new Promise((done) => setTimeout(done, 10_000, -1));
      return Promise.race([globalThis.changed, never]);
    });
  };

  const untilRows = (act) => until('tr[data-index="0"]', act);

  // Sort by the first column before measuring; every later click shows rows not seen before.
  const headers = await page.$$('th button');
  await headers[0].click();
  await pause(500);
  const sorts = [];
  for (const at of clicked) {
    sorts.push(await untilRows(() => headers[at].click()));
  }
  const sortPaint = await slowest();

  await page.click('input[aria-label^="Filter"]');
  await page.keyboard.type(types[0], { delay: 120 });
  await pause(500);
  await slowest();
  await page.keyboard.type(types[1], { delay: 120 });
  await pause(500);
  const filterRows = await untilRows(() => page.keyboard.type(types[2]));
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
  /** Frames per second during an action. */
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

  // The first opening loads the page's code; the others represent daily work.
  const opens = [];
  for (const at of leads ? [0, 1, 2, 3] : []) {
    await page.goto(url);
    const row = await page.waitForSelector(`tr[data-index="${at}"] a`);
    await pause(500);
    const number = (await row.evaluate((link) => link.textContent)).trim().slice(-5);
    opens.push(await until('main h1', () => row.click(), number));
  }
  const found = { sorts, sortPaint, filterRows, filterPaint, idleFrames, scrollFrames, scrolled, opens };
  console.log(JSON.stringify(found));
} finally {
  await browser.close();
}
