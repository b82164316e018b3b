// The clock of the journeys: a fixed instant when they begin, from which it runs on. Servers get it by their setting;
// Node's Date (the identity provider, the mail server, the tests) and the pages' are shifted by the same offset.
// `TEST_CLOCK` sets another instant, to run everything at another hour or day.

import type { BrowserContext } from '@playwright/test';
import { shiftDate, shiftTo } from '../../web/src/testClock.ts';

/** Passed on from the process that reads the configuration first, so that all of them agree. */
process.env.LARDER_CLOCK_SHIFT_MS ??= String(shiftTo(process.env.TEST_CLOCK));
const shiftMs = Number(process.env.LARDER_CLOCK_SHIFT_MS);

shiftDate(shiftMs);

/** Runs the pages of a context at the tests' time. */
export async function atTestTime<T extends BrowserContext>(context: T): Promise<T> {
  await context.addInitScript(shiftDate, shiftMs);
  return context;
}
