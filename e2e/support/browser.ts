// Debian's Chromium; Playwright's own is not downloaded.

import { existsSync } from 'node:fs';

const find = (...names: string[]) => names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

const chromium = find('chromium', 'chromium-browser', 'google-chrome');
// The headless shell, which skips a quarter of the browser's work.
const shell = find('chromium-headless-shell') ?? chromium;
if (!chromium) throw new Error('Chromium is missing: run scripts/prerequisites test');

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium's engine: enough for tests of pages. */
export const engine = { executablePath: shell, args };

/** The full Chromium, for tests of the browser itself: closing it, its storage, its camera. */
export const whole = { executablePath: chromium, args };
