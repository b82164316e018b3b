import { describe, expect, it } from 'vitest';
import { evaluate, isSum } from './arithmetic';

describe('sums in a field', () => {
  it.each([
    ['12', 12],
    ['12*6+3', 75],
    ['12 × 6 + 3', 75],
    ['2+3*4', 14],
    ['(2+3)*4', 20],
    ['1,5', 1.5],
    ['1,234.50+1', 1235.5],
    ['0.1+0.2', 0.3],
    ['10/4', 2.5],
    ['1/3', 0.333333],
    ['2/3', 0.666667],
    ['-2', -2],
    ['3-5', -2],
    ['3--5', 8],
    ['10÷-4', -2.5],
    ['=7', 7],
    ['.5x2', 1],
    ['0', 0],
    ['0-0', 0],
  ])('works out %s', (text, value) => {
    expect(evaluate(text)).toBe(value);
  });

  it.each([
    '',
    ' ',
    'abc',
    '12 pcs',
    '1+',
    '*2',
    '(1',
    '1)',
    '1/0',
    '1..2',
    '12 6',
    '9'.repeat(201),
  ])('takes «%s» for no number', (text) => {
    expect(evaluate(text)).toBeNull();
  });

  it('tells a sum from a number', () => {
    expect([isSum('12*6'), isSum('-2'), isSum('12'), isSum('a+b')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
