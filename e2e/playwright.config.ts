import { defineConfig } from '@playwright/test';
import './support/clock.ts';
import { engine } from './support/browser.ts';

export default defineConfig({
  testDir: '.',
  globalSetup: './support/demo.ts',
  // Files run in parallel, each with its own server; the tests of a file run in sequence.
  fullyParallel: false,
  workers: 2,
  // A test that passes on a retry counts as passed and is listed under «Unsteady» at the end.
  retries: 2,
  forbidOnly: Boolean(process.env.CI),
  // Waiting ends as soon as the condition holds; a busy machine may need the time.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./support/summary.ts']],
  use: {
    // A step without a target ends here, instead of using the whole test's time.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Asia/Manila',
    locale: 'en-PH',
    // Every test starts in a fresh browser, and would cache the whole console for offline use: a quarter of the
    // browser's time. Files that need it enable it.
    serviceWorkers: 'block',
    // A context cleared between two tests has the console's code parsed already; a new one parses it again.
    reuseContext: true,
    // A sliding drawer costs a quarter of a second of processor time. Tests of transitions enable them.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every step costs a third of the time: only retries are recorded, and all tests on request.
    trace: process.env.E2E_TRACE ? 'on' : 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: engine,
  },
});
