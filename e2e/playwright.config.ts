import { defineConfig } from '@playwright/test';
import './support/clock.ts';
import { engine } from './support/browser.ts';

export default defineConfig({
  testDir: '.',
  // Files run side by side, each with a server of its own; the tests of a file one after the other.
  fullyParallel: false,
  workers: 2,
  // One that passes on another try counts as passed and stands by name under «Unsteady» at the end.
  retries: 2,
  forbidOnly: Boolean(process.env.CI),
  // Waiting ends as soon as what is waited for is there; a machine that is busy with others may take its time.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./support/summary.ts']],
  use: {
    // A step that finds nothing to act on ends here, not with the whole test's time.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Asia/Manila',
    locale: 'en-PH',
    // Every test starts in a browser that knows nothing, and would put all of the console away for a start without a
    // network: a quarter of the browser's time. Where that matters the files ask for it.
    serviceWorkers: 'block',
    // A context cleared out between two tests knows the console's code already; a new one reads it anew each time.
    reuseContext: true,
    // A drawer that slides in costs a quarter of a second of a processor more. What must hold while things move is tried
    // where it is asked for.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every step costs a third of the time: only another try is recorded, and all where something has to be
    // found out.
    trace: process.env.E2E_TRACE ? 'on' : 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: engine,
  },
});
