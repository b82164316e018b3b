// Debian's browser, without a download.
import { existsSync } from 'node:fs';

export const chromePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!chromePath) throw new Error('Chromium is missing: run scripts/prerequisites test');

export const chromeFlags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
];
