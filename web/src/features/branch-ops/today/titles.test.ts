import { describe, expect, it } from 'vitest';
import { countTitle, salesTitle } from './titles';

const today = (counted: string, more: object = {}) =>
  ({
    date: '2026-11-27',
    count: { date: counted, due: 'closing', finished: false, ...more },
  }) as Parameters<typeof countTitle>[0];

describe('the cards of the start page', () => {
  it('name no day while all of them are of today', () => {
    expect(countTitle(today('2026-11-27'))).toBe('Closing count due');
    expect(countTitle(today('2026-11-27', { finished: true }))).toBe('Count finished');
    expect(countTitle(today('2026-11-27', { due: null }))).toBe('No count is due');
    expect(salesTitle(today('2026-11-27'))).toBe('Sales so far');
  });

  it('name the days after midnight, when the count is still of the day before', () => {
    expect(countTitle(today('2026-11-26'))).toBe('Closing count of 26 Nov due');
    expect(countTitle(today('2026-11-26', { finished: true }))).toBe('Count of 26 Nov finished');
    expect(salesTitle(today('2026-11-26'))).toBe('Sales so far on 27 Nov');
  });
});
