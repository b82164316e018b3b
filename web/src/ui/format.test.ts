import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  amount,
  change,
  count,
  day,
  inFull,
  moment,
  money,
  percent,
  plural,
  pluralQty,
  qty,
  short,
  signedAmount,
  signedMoney,
  signedQty,
  unitOf,
  unrounded,
} from './format';

describe('numbers', () => {
  it('writes quantities without trailing zeros and with a real minus', () => {
    expect(qty(1234.5)).toBe('1,234.5');
    expect(qty(-0.25)).toBe('−0.25');
    expect(qty(0)).toBe('0');
    expect(qty(-0)).toBe('0');
    expect(qty(null)).toBe('–');
  });

  it('writes quantities with at most three decimals', () => {
    expect([1 / 3, 2.0005, 1234.56789, -7.1239].map(qty)).toEqual([
      '0.333',
      '2.001',
      '1,234.568',
      '−7.124',
    ]);
    expect([signedQty(2.00049), pluralQty(2 / 3, 'piece')]).toEqual(['+2', '0.667 pieces']);
  });

  it('never writes a small quantity as zero', () => {
    expect([0.0005, 0.0004, 0.000001, -0.0004].map(qty)).toEqual([
      '0.001',
      '<0.001',
      '<0.001',
      '>−0.001',
    ]);
    expect([signedQty(0.0004), signedQty(-0.0004)]).toEqual(['<0.001', '>−0.001']);
    // 0.1 + 0.2 − 0.3 is no quantity.
    expect(qty(0.1 + 0.2 - 0.3)).toBe('0');
  });

  it('writes factors and entered numbers in full', () => {
    expect([1 / 3, 0.000000001, 1234.5, -2, null].map(inFull)).toEqual([
      '0.333333333',
      '0.000000001',
      '1,234.5',
      '−2',
      '–',
    ]);
  });

  it('has the full number beside a rounded quantity only', () => {
    expect(unrounded(qty, 0.123456)).toBe('0.123456');
    expect(unrounded(signedQty, -0.0004)).toBe('−0.0004');
    expect([unrounded(qty, 0.123), unrounded(qty, null), unrounded(money, 0.123456)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('counts one day as a day, and leaves codes of units alone', () => {
    expect([unitOf(1, 'days'), unitOf(2, 'days'), unitOf(1, 'tray'), unitOf(2, null)]).toEqual([
      'day',
      'days',
      'tray',
      '',
    ]);
  });

  it('writes money with centavos', () => {
    expect(money(1234.5)).toBe('₱1,234.50');
    expect(money(-7)).toBe('−₱7.00');
    expect(amount(undefined)).toBe('–');
  });

  it('writes differences with their sign', () => {
    expect([signedQty(3), signedQty(-2), signedQty(0), signedQty(null)]).toEqual([
      '+3',
      '−2',
      '0',
      '–',
    ]);
    expect([signedAmount(1250), signedAmount(-7)]).toEqual(['+1,250.00', '−7.00']);
    // Text that rounds to nothing is no gain.
    expect(signedAmount(0.001)).toBe('0.00');
    expect(signedMoney(50)).toBe('+₱50.00');
  });

  it('writes shares and changes', () => {
    expect(percent(0.1234)).toBe('12.3%');
    expect(change(0.05)).toBe('+5.0%');
    expect(change(-0.05)).toBe('−5.0%');
  });

  it('never shows NaN or infinity', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const shown = [
        qty,
        count,
        money,
        amount,
        short,
        percent,
        change,
        signedQty,
        signedAmount,
      ].map((write) => write(value));
      expect(shown).toEqual(Array(9).fill('–'));
    }
  });

  it('decides alone how many decimals are shown', () => {
    const others = readdirSync('src', { recursive: true })
      .map(String)
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.gen\.ts$/.test(file))
      .filter((file) => /maximumFractionDigits/.test(readFileSync(`src/${file}`, 'utf8')));
    expect(others).toEqual(['ui/format.ts']);
  });

  it('writes counts with nouns', () => {
    expect(plural(1, 'store')).toBe('1 store');
    expect(plural(1200, 'category', 'categories')).toBe('1,200 categories');
    expect(pluralQty(1, 'piece')).toBe('1 piece');
    expect(pluralQty(2.5, 'piece')).toBe('2.5 pieces');
  });
});

describe('dates', () => {
  it('writes a business date without a time zone', () => {
    expect(day('2026-11-20')).toBe('20 Nov 2026');
    expect(day(null)).toBe('–');
    expect(day('nonsense')).toBe('–');
  });

  it("writes an instant in the stores' zone", () => {
    expect(moment('2026-11-19T17:05:00.000Z')).toBe('20 Nov 2026, 01:05');
    expect(moment('2026-09-05T00:00:00Z')).toBe('5 Sep 2026, 08:00');
    expect(moment('soon')).toBe('–');
    expect(moment(null)).toBe('–');
  });
});
