import { describe, expect, it } from 'vitest';
import { isLate, isLateDraft } from './LateNotice';

const order = { neededDate: '2026-11-28', cutoffAt: '2026-11-27T08:00:00Z' };
const before = new Date('2026-11-27T07:59:00Z');
const after = new Date('2026-11-27T08:00:00Z');

describe('an order', () => {
  it('is late from its cut-off on, or when its day is over', () => {
    expect([isLate(order, before), isLate(order, after)]).toEqual([false, true]);
    const noCutoff = { ...order, cutoffAt: null };
    // The day ends at midnight in the stores.
    expect(isLate(noCutoff, new Date('2026-11-28T15:59:00Z'))).toBe(false);
    expect(isLate(noCutoff, new Date('2026-11-28T16:00:00Z'))).toBe(true);
  });

  it('is late as a draft by the calendar of today, not by that of when it was written', () => {
    expect(isLateDraft(order, '2026-12-01', before)).toBe(true);
    expect(isLateDraft(order, '2026-11-28', after)).toBe(false);
    expect(isLateDraft(order, undefined, after)).toBe(true);
  });
});
