// Debian's Chromium; Playwright's own download is not used.

import { existsSync } from 'node:fs';

const find = (...names: string[]) => names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

const chromium = find('chromium', 'chromium-browser', 'google-chrome');
// The same engine without the window around it, which takes a quarter of the browser's time.
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

/** Chromium's engine: enough for what a page does. */
export const engine = { executablePath: shell, args };

/** All of Chromium, where what the browser itself does matters: its end, its storage, its camera. */
export const whole = { executablePath: chromium, args };
