import { describe, expect, it } from 'vitest';
import { addMonths, dayOf, daysBetween, isDay, monday, presets, readDay, today } from './dates';

describe('business dates', () => {
  it("begin at midnight in the stores' zone", () => {
    expect(today(new Date('2026-11-19T15:59:59Z'))).toBe('2026-11-19');
    expect(today(new Date('2026-11-19T16:00:00Z'))).toBe('2026-11-20');
  });

  it('weeks begin on Monday, before 1970 too', () => {
    expect(monday('2026-11-20')).toBe('2026-11-16');
    expect(monday('2026-11-16')).toBe('2026-11-16');
    expect(monday('2026-11-22')).toBe('2026-11-16');
    expect(monday('1969-12-31')).toBe('1969-12-29');
  });

  it('steps over months and leap days', () => {
    expect(addMonths('2026-01-31', -1)).toBe('2025-12-01');
    expect(daysBetween('2024-02-28', '2024-03-01')).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
  });

  it('tells a date from other text', () => {
    expect(isDay('2026-11-20')).toBe(true);
    expect(isDay('2026-13-20')).toBe(false);
    expect(isDay('20 Nov')).toBe(false);
  });

  it('offers presets of whole weeks and months', () => {
    const at = Object.fromEntries(presets.map(({ label, range }) => [label, range('2026-11-20')]));
    expect(at['Last 4 weeks']).toEqual({ from: '2026-10-19', to: '2026-11-15' });
    expect(at['Last month']).toEqual({ from: '2026-10-01', to: '2026-10-31' });
    expect(at['This month']).toEqual({ from: '2026-11-01', to: '2026-11-30' });
  });

  it('parses the parts of an address, padded or not, and nothing else', () => {
    expect(dayOf('2026', '11', '1')).toBe('2026-11-01');
    expect(dayOf('2026', '02', '28')).toBe('2026-02-28');
    for (const [year, month, date] of [
      ['2026', '13', '45'],
      ['2026', '2', '31'],
      ['0', '0', '0'],
      ['abc', 'de', 'f'],
      ['2026', '-1', '1'],
      ['2026', '1e1', '1'],
    ] as const) {
      expect(dayOf(year, month, date), `${year}/${month}/${date}`).toBeNull();
    }
  });
});

describe('typed dates', () => {
  it.each([
    ['2026-11-24', '2026-11-24'],
    ['24 Nov 2026', '2026-11-24'],
    ['24 november 2026', '2026-11-24'],
    ['Nov 24, 2026', '2026-11-24'],
    ['24/11/2026', '2026-11-24'],
    ['11/24/2026', '2026-11-24'],
    ['5/5/2026', '2026-05-05'],
    ['1-sep-2026', '2026-09-01'],
    ['3/4/2026', null],
    ['31 Feb 2026', null],
    ['24 Nov', null],
    ['24 Nov 26', null],
    ['tomorrow', null],
    ['', null],
  ])('%j is %j', (text, date) => {
    expect(readDay(text)).toBe(date);
  });
});
