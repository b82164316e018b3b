import { describe, expect, it } from 'vitest';
import { amount, change, day, moment, money, parseDecimal, percent, plural, qty } from './format';

describe('numbers', () => {
  it('writes quantities without trailing zeros and with a real minus', () => {
    expect(qty(1234.5)).toBe('1,234.5');
    expect(qty(-0.25)).toBe('−0.25');
    expect(qty(0)).toBe('0');
    expect(qty(-0)).toBe('0');
    expect(qty(null)).toBe('–');
  });

  it('writes money with centavos', () => {
    expect(money(1234.5)).toBe('₱1,234.50');
    expect(money(-7)).toBe('−₱7.00');
    expect(amount(undefined)).toBe('–');
  });

  it('writes shares and changes', () => {
    expect(percent(0.1234)).toBe('12.3%');
    expect(change(0.05)).toBe('+5.0%');
    expect(change(-0.05)).toBe('−5.0%');
  });

  it('counts in words', () => {
    expect(plural(1, 'store')).toBe('1 store');
    expect(plural(1200, 'category', 'categories')).toBe('1,200 categories');
  });
});

describe('dates', () => {
  it('writes a business date without a time zone', () => {
    expect(day('2026-11-20')).toBe('20 Nov 2026');
    expect(day(null)).toBe('–');
    expect(day('nonsense')).toBe('–');
  });

  it('writes an instant in the time of the stores', () => {
    expect(moment('2026-11-19T17:05:00.000Z')).toBe('20 Nov 2026, 01:05');
  });
});

describe('typed numbers', () => {
  it.each([
    ['1,5', 1.5],
    ['1.5', 1.5],
    [' 12 ', 12],
    ['1,234.50', 1234.5],
    ['1,234,567', 1234567],
    ['₱ 27.27', 27.27],
    ['−3', -3],
    ['.5', 0.5],
    ['', null],
    ['abc', null],
    ['1.2.3', null],
    ['1e5', null],
  ])('%j is %j', (text, value) => {
    expect(parseDecimal(text)).toBe(value);
  });
});
