import { describe, expect, it } from 'vitest';
import { withClock, withClockOf } from './clock';

const shows = new Date('2026-11-24T08:00:00Z');
const past = { happenedAt: '2026-11-24T06:00:00Z', reason: 'Late' };
const ahead = { receivedAt: '2026-11-24T09:00:00.000Z' };

describe('the clock of a device', () => {
  it('goes with a time', () => {
    expect(withClock(past, shows)).toEqual({ ...past, sentAt: '2026-11-24T08:00:00.000Z' });
    expect(withClock({ reason: 'Late' }, shows)).toEqual({ reason: 'Late' });
    // A typed time that has not come yet is the server’s to refuse.
    expect(withClock(ahead, shows)).toMatchObject({ sentAt: '2026-11-24T08:00:00.000Z' });
  });

  it('is never behind a time that waited on the device', () => {
    expect(withClockOf(past, shows)).toMatchObject({ sentAt: '2026-11-24T08:00:00.000Z' });
    expect(withClockOf(ahead, shows)).toMatchObject({ sentAt: ahead.receivedAt });
    expect(withClockOf({}, shows)).toEqual({});
  });
});
