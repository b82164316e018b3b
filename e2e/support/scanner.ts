// A scanner that types like a keyboard.

import type { Page } from '@playwright/test';

/** Seconds between two keys of a scanner. */
const PAUSE = 0.01;

/** Scans a code: its keys and Enter, with the times of a scanner however long the page takes for each. */
export async function scan(page: Page, code: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { timeOrigin, now } = await page.evaluate(() => ({ timeOrigin: performance.timeOrigin, now: performance.now() }));
  const begin = (timeOrigin + now) / 1000;
  const keys = [...code].map((key) => ({ key, text: key, windowsVirtualKeyCode: key.charCodeAt(0) }));
  const all = [...keys, { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 }];
  for (const [i, key] of all.entries()) {
    const timestamp = begin + i * PAUSE;
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp, ...key });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp, ...key, text: undefined });
  }
  await session.detach();
}
