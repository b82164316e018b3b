// The time that the journeys run at: a fixed instant when they begin, from which it goes on. The servers get it by their
// setting, Node's own Date (the identity provider, the mail server, the tests) and the pages' by being shifted as much.
// `TEST_CLOCK` names another instant, to run everything at another hour or day.

import type { BrowserContext } from '@playwright/test';
import { shiftDate, shiftTo } from '../../web/src/testClock.ts';

/** Handed on from the process that reads the configuration first, so that all of them agree. */
process.env.LARDER_CLOCK_SHIFT_MS ??= String(shiftTo(process.env.TEST_CLOCK));
const shiftMs = Number(process.env.LARDER_CLOCK_SHIFT_MS);

shiftDate(shiftMs);

/** Lets the pages of a context run at the tests' time. */
export async function atTestTime<T extends BrowserContext>(context: T): Promise<T> {
  await context.addInitScript(shiftDate, shiftMs);
  return context;
}
