import { describe, expect, it } from 'vitest';
import { isSure } from './suggested';

describe('whether a suggested item may be chosen in advance', () => {
  it.each([
    ['Ube Latte (Large)', 'Ube Latte Large'],
    ['PLAIN NAAN BREAD', 'Plain Naan'],
    ['Chicken Tikka Masalla', 'Chicken Tikka Masala'],
    ['Espreso', 'Espresso'],
    ['Jalapeño Poppers', 'jalapeño poppers'],
  ])('%s is %s', (name, suggested) => {
    expect(isSure(name, suggested)).toBe(true);
  });

  it.each([
    ['Ube Latte (Small)', 'Ube Latte Large'],
    ['Iced Latte 16oz', 'Iced Latte 22oz'],
    ['Combo 10001', 'Combo 10002'],
    ['Chicken Tikka Masala', 'Chicken Tinola'],
    ['Madras - Chicken', 'Chicken Mami'],
    ['Beef Mani', 'Beef Mami'],
    ['', 'Chicken Mami'],
    ['—', 'Chicken Mami'],
  ])('%s may not be %s', (name, suggested) => {
    expect(isSure(name, suggested)).toBe(false);
  });
});
