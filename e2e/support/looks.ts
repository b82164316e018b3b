// Visual checks: accessibility, overflow, touch targets.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './test.ts';

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1440, height: 900 };

/** Folder for screenshots of every screen, on request. */
const album = process.env.ALBUM;

export async function paint(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.evaluate((chosen) => {
    localStorage.setItem('mantine-color-scheme-value', chosen);
    document.documentElement.setAttribute('data-mantine-color-scheme', chosen);
  }, scheme);
}

/**
 * Checks accessibility in light and dark, and that nothing is wider than the window; takes a screenshot of each on
 * request.
 */
export async function expectFine(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide, `${name}: wider than the window`).toBeLessThanOrEqual(0);
  if (!album) return;
  mkdirSync(album, { recursive: true });
  const size = page.viewportSize();
  for (const scheme of ['light', 'dark'] as const) {
    await paint(page, scheme);
    await page.screenshot({ path: join(album, `${name}-${size?.width}-${scheme}.png`) });
  }
  await paint(page, 'light');
}

/** Every touch target is at least 44 px high and wide; elements only for screen readers are none. */
export async function expectTappable(page: Page, within = 'main, [role=dialog]'): Promise<void> {
  const small = await page.evaluate((where) => {
    const found: string[] = [];
    for (const place of document.querySelectorAll(where)) {
      for (const target of place.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, [role=button]')) {
        // A field inside its label is as large as the label.
        const box = (target.closest('label') ?? target).getBoundingClientRect();
        if (box.width <= 1 || !target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        if (box.height >= 43.5 && box.width >= 43.5) continue;
        const name = target.getAttribute('aria-label') ?? target.textContent ?? target.tagName;
        found.push(`${name.trim()}: ${Math.round(box.width)}×${Math.round(box.height)}`);
      }
    }
    return [...new Set(found)];
  }, within);
  expect(small).toEqual([]);
}

/** No column of a table is cut off: neither the text of a cell, nor the table by the box around it. */
export async function expectWhole(page: Page): Promise<void> {
  const cut = await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('main *, [role=dialog] *')];
    const near = all.filter((one) => one.closest('table') || one.querySelector('table'));
    return near
      .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
      .filter((one) => getComputedStyle(one).overflowX !== 'visible')
      .map((one) => `${one.tagName} ${one.scrollWidth} > ${one.clientWidth}: ${one.textContent?.slice(0, 60)}`);
  });
  expect(cut).toEqual([]);
}

/** Boxes that cut off columns of their table, which only scrolling shows. */
export const cutTables = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *')]
      .filter((box) => box.querySelector('table, [role=grid], [role=table]'))
      .filter((box) => box.clientWidth > 1 && box.scrollWidth > box.clientWidth + 1)
      .filter((box) => ['auto', 'scroll', 'hidden'].includes(getComputedStyle(box).overflowX))
      .map((box) => `${box.scrollWidth} px of a table in ${box.clientWidth}`),
  );

/**
 * Words that a phone cuts off with «…», buttons without any, and lines that end with the dot between two parts: a phone
 * has no hover that would show the rest.
 */
export const cutWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const seen = (one: Element) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const words = (one: Element) => (one.textContent ?? '').trim().slice(0, 60);
    const found: string[] = [];
    for (const one of document.querySelectorAll<HTMLElement>('main *, [role=dialog] *')) {
      if (one instanceof HTMLInputElement || one.closest('pre, code, svg') || !seen(one)) continue;
      const style = getComputedStyle(one);
      const short = style.textOverflow === 'ellipsis' && style.overflowX !== 'visible';
      if (short && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1) found.push(`cut off: ${words(one)}`);
      if (one.matches('button, a[href]') && !words(one) && !one.querySelector('svg, img') && !one.ariaLabel)
        found.push(`empty: ${one.outerHTML.slice(0, 80)}`);
      for (const node of one.childNodes) {
        const at = node instanceof Text ? node.data.search(/·\s+\S/) : -1;
        if (at < 0) continue;
        const place = document.createRange();
        const topOf = (from: number) => {
          place.setStart(node, from);
          place.setEnd(node, from + 1);
          return place.getBoundingClientRect().top;
        };
        const next = at + 1 + (node as Text).data.slice(at + 1).search(/\S/);
        if (topOf(next) > topOf(at) + 4) found.push(`ends with a dot: ${words(one)}`);
      }
    }
    return [...new Set(found)];
  });
