import { describe, expect, it } from 'vitest';
import { DENOMINATIONS, pieceName, piecesFault, sumOf } from './cash';

describe('a drawer', () => {
  it('is summed in centavos', () => {
    expect(sumOf({ '1000': '3', '0.1': '3', '0.25': '1', '20': 'x' })).toBe(3000.55);
    expect(sumOf(Object.fromEntries(DENOMINATIONS.map((piece) => [piece, '1'])))).toBe(1886.41);
  });

  it('names its denominations', () => {
    expect(DENOMINATIONS.map(pieceName).join(' ')).toBe(
      '₱1,000 ₱500 ₱200 ₱100 ₱50 ₱20 ₱10 ₱5 ₱1 25¢ 10¢ 5¢ 1¢',
    );
  });

  it('accepts whole pieces only', () => {
    expect(['', '0', '12', ' 7 '].map(piecesFault)).toEqual([false, false, false, false]);
    expect(['1.5', '-1', 'a', '12345678'].map(piecesFault)).toEqual([true, true, true, true]);
  });
});
