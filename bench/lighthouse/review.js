// Reviews pictures of till readings by keyboard like a user: `node review.js URL COOKIE STORE TRUTH PICTURE…` drops the
// pictures, waits until they are read, then visits doubtful fields, corrects wrong ones and verifies. Prints the
// milliseconds per picture, the number of typed fields, and the number of verified readings.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';
import { chromeFlags, chromePath } from './chromium.js';

const [url, cookie, store, truthFile, ...pictures] = process.argv.slice(2);
const truth = JSON.parse(readFileSync(truthFile, 'utf8'));
// Cost of a look at a field and its place on the picture, and of a key.
const LOOK = 300;
const KEY = 100;
const FIELDS = {
  businessDate: 'date', zCounter: 'z', min: 'min', tin: 'tin', firstSi: 'beg', lastSi: 'end', transactions: 'tx',
  previousTotal: 'old', presentTotal: 'new', gross: 'gross', senior: 'sc', pwd: 'pwd', otherDiscount: 'other',
  voids: 'void', returns: 'refund', vatAdjustment: 'vadj', net: 'net', vatable: 'vatable', vat: 'vat', exempt: 'exempt',
  zeroRated: 'zero', 'tender:cash': 'cash', 'tender:card': 'card', 'tender:eWallet': 'ewal',
};
// Dashes and commas are formatting only.
const bare = (text) => text.replace(/[,-]/g, '');
// The console shows «20 Feb 2025».
const iso = (text) => (Date.parse(`${text} UTC`) ? new Date(`${text} UTC`).toISOString().slice(0, 10) : text);

const browser = await puppeteer.launch({ executablePath: chromePath, args: chromeFlags });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  const [name, value] = cookie.split('=');
  await page.setCookie({ name, value, url, secure: name.startsWith('__'), path: '/' });
  const ask = (path) => page.evaluate(async (at) => (await fetch(at, { headers: { 'X-Larder': '1' } })).json(), path);
  const readings = (state) => ask(`/api/sales/z-reading?storeId=${store}&pageSize=100&state=${state}`);
  await page.goto(`${url}/tools/services/zreading-ocr`);
  // The page uploads them one by one.
  const pictureOf = new Map();
  page.on('response', async (answer) => {
    if (!answer.url().includes('/zreading-ocr/uploads')) return;
    for (const { id, fileName } of (await answer.json()).items) pictureOf.set(id, basename(fileName));
  });
  await (await page.waitForSelector('input[type=file]')).uploadFile(...pictures);
  while ((await readings('needsReview')).total < pictures.length) await pause(1_000);

  await page.goto(`${url}/sales/z-reading`);
  await (await page.waitForSelector('::-p-xpath(//button[starts-with(normalize-space(), "Review ")])')).click();
  const [times, typed] = [[], []];
  for (const _ of pictures) {
    await page.waitForFunction(() => /z-reading\/[\w-]+$/.test(location.pathname) && document.querySelector('form input, input[name=net]'));
    const id = new URL(page.url()).pathname.split('/').pop();
    const said = truth[pictureOf.get(id)].fields;
    const began = performance.now();
    let corrected = 0;
    await page.waitForFunction(() => ['INPUT', 'BUTTON'].includes(document.activeElement?.tagName));
    for (;;) {
      const at = await page.evaluate(() => {
        const { tagName, name, value } = document.activeElement;
        return { tagName, name, value };
      });
      if (at.tagName !== 'INPUT') break;
      await pause(LOOK);
      const right = said[FIELDS[at.name]];
      const shown = at.name === 'businessDate' ? iso(at.value) : at.value;
      if (right !== undefined && bare(shown) !== bare(right)) {
        corrected += 1;
        await page.keyboard.type(right, { delay: KEY });
      }
      await page.keyboard.press('Enter');
    }
    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
    try {
      await page.waitForFunction((before) => !location.pathname.endsWith(before), { timeout: 10_000 }, id);
    } catch {
      const words = await page.evaluate(() => document.querySelector('main')?.innerText.replace(/\s+/g, ' '));
      throw new Error(`${pictureOf.get(id)} was not verified: ${words}`);
    }
    times.push(performance.now() - began);
    typed.push(corrected);
  }
  const { total } = await readings('verified');
  console.log(JSON.stringify({ times, typed, verified: total }));
} finally {
  await browser.close();
}
