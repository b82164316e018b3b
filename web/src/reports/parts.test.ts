import { describe, expect, it } from 'vitest';
import { headOf } from './parts';

describe("a figure's head", () => {
  const whole = { qty: 2.5, total: 3 };

  it('is in net sales where the report is', () => {
    expect(headOf({ ...whole, net: 1250 }, { inNet: true })).toBe('₱1,250.00 net from 3 entries');
    expect(headOf(whole, { inNet: true })).toBe('– net from 3 entries');
  });

  it('is a quantity elsewhere', () => {
    expect(headOf(whole, {})).toBe('2.5 from 3 entries');
  });

  it('leads from the quantity to the cost', () => {
    const priced = { price: 120, unit: 'kg' };
    expect(headOf(whole, { priced })).toBe('2.5 kg × ₱120.00 = ₱300.00 from 3 entries');
    // Rounded once, half away from zero.
    expect(headOf({ qty: 0.333333, total: 1 }, { priced: { price: 0.45, unit: null } })).toBe(
      '0.333 × ₱0.45 = ₱0.15 from 1 entry',
    );
    expect(headOf(whole, { priced: { ...priced, price: null } })).toBe(
      '2.5 kg without a price, from 3 entries',
    );
  });
});
