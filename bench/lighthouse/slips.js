// Draws till slips: `node slips.js FONTS PLAN FOLDER` reads `[{file, font, weight, size, lines: [{text, ink}]}]` from the
// file PLAN and writes a picture of each into the folder. A font is a package of @fontsource, installed in FONTS.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { chromeFlags, chromePath } from './chromium.js';

const [fonts, plan, folder] = process.argv.slice(2);
const slips = JSON.parse(readFileSync(plan, 'utf8'));

const faces = new Map();
function face(font, weight) {
  const key = `${font} ${weight}`;
  if (!faces.has(key)) {
    const files = join(fonts, 'node_modules/@fontsource', font, 'files');
    const file = readdirSync(files).find((name) => name.endsWith(`-latin-${weight}-normal.woff2`));
    if (!file) throw new Error(`${font} has no weight ${weight}`);
    const bytes = readFileSync(join(files, file)).toString('base64');
    faces.set(key, `@font-face{font-family:Slip;font-weight:${weight};src:url(data:font/woff2;base64,${bytes})}`);
  }
  return faces.get(key);
}

const browser = await puppeteer.launch({ executablePath: chromePath, args: chromeFlags });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 1800 });
  for (const { file, font, weight, size, lines } of slips) {
    const pitch = Math.round(size * 1.3);
    await page.setContent(
      `<style>${face(font, weight)}body{margin:0;background:#fff}pre{margin:0;padding:${size}px;display:inline-block;` +
        `font:${weight} ${size}px/${pitch}px Slip;white-space:pre}</style><pre id=slip></pre>`,
    );
    const found = await page.evaluate(async (rows) => {
      const slip = document.getElementById('slip');
      for (const { text, ink } of rows) {
        const row = document.createElement('span');
        row.textContent = `${text}\n`;
        row.style.color = `rgb(${ink},${ink},${ink})`;
        slip.append(row);
      }
      await document.fonts.ready;
      await document.fonts.load(getComputedStyle(slip).font);
      return [...document.fonts].every((one) => one.status === 'loaded');
    }, lines);
    if (!found) throw new Error(`${font} could not be loaded`);
    const slip = await page.$('#slip');
    await slip.screenshot({ path: join(folder, file) });
  }
} finally {
  await browser.close();
}
