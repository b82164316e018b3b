import { describe, expect, it } from 'vitest';
import { readSubject, subjectOf, subjectWithDay } from './orderSubject';

const due = { sourceType: 'commissary', sourceId: 'c:1', neededDate: '2026-11-28' };

describe('the form of an order', () => {
  it('is kept apart for each source and day', () => {
    expect(subjectOf(due)).toBe('commissary:c:1:2026-11-28');
    expect(readSubject(subjectOf(due))).toEqual(due);
    expect(subjectOf({ ...due, neededDate: '2026-12-01' })).not.toBe(subjectOf(due));
  });

  it('is found again where it was kept without a day', () => {
    const old = 'commissary:c1';
    expect(readSubject(old)).toEqual({
      sourceType: 'commissary',
      sourceId: 'c1',
      neededDate: null,
    });
    expect(subjectWithDay(old, { neededDate: '2026-11-28' })).toBe('commissary:c1:2026-11-28');
    expect(subjectWithDay(old, undefined)).toBe(old);
    expect(subjectWithDay(subjectOf(due), { neededDate: '2026-12-01' })).toBe(subjectOf(due));
  });
});
