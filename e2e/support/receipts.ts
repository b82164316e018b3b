// Pictures of Z-readings, drawn in the browser for the real reader.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

export interface Printed {
  date: string;
  /** The Z counter; the figures follow from it, and continue from the previous one. */
  counter: number;
}

/** The printed lines, by label. The sums hold: 1,120.00 net after 80.00 of discounts. */
export function linesOf({ date, counter }: Printed): [string, string][] {
  const old = 10_000 + (counter - 1) * 1_120;
  const first = (counter - 1) * 10 + 1;
  const amount = (pesos: number) => pesos.toLocaleString('en-US', { minimumFractionDigits: 2 });
  const number = (n: number) => String(n).padStart(8, '0');
  return [
    ['VAT REG TIN', '607-747-140-00095'],
    ['MIN', '17527501567630775'],
    ['Report Date', date],
    ['Z-Counter', String(counter)],
    ['Beg. SI No', number(first)],
    ['End. SI No', number(first + 9)],
    ['Trans Count', '10'],
    ['Gross Sales', amount(1_200)],
    ['VATable Sales', amount(1_000)],
    ['VAT Amount', amount(120)],
    ['VAT Exempt Sales', amount(0)],
    ['Zero Rated Sales', amount(0)],
    ['SC Discount', amount(50.5)],
    ['PWD Discount', amount(29.5)],
    ['Other Discount', amount(0)],
    ['Void', amount(0)],
    ['Return', amount(0)],
    ['VAT Adjustment', amount(0)],
    ['Net Sales', amount(1_120)],
    ['Old Grand Total', amount(old)],
    ['New Grand Total', amount(old + 1_120)],
    ['Cash', amount(620)],
    ['Credit Card', amount(300)],
    ['GCash', amount(200)],
  ];
}

// A bundled font: the machine's `monospace` would affect the reader's accuracy.
const font = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2'),
).toString('base64');

/** The paper as a PNG. */
export async function draw(page: Page, printed: Printed): Promise<Buffer> {
  const text = await page.evaluate(async ({ lines, font }) => {
    const bytes = Uint8Array.from(atob(font), (char) => char.charCodeAt(0));
    document.fonts.add(await new FontFace('Till', bytes).load());
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [820, 140 + lines.length * 46];
    const paper = canvas.getContext('2d');
    if (!paper) throw new Error('no canvas');
    paper.fillStyle = '#fbfbf8';
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.fillStyle = '#222';
    paper.font = '30px Till';
    paper.textAlign = 'center';
    paper.fillText('Z READING', 410, 60);
    lines.forEach(([label, figure], i) => {
      paper.textAlign = 'left';
      paper.fillText(label ?? '', 40, 120 + i * 46);
      paper.textAlign = 'right';
      paper.fillText(figure ?? '', 780, 120 + i * 46);
    });
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  }, { lines: linesOf(printed), font });
  return Buffer.from(text, 'base64');
}
