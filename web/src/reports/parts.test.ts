import { describe, expect, it } from 'vitest';
import { headOf, netOf } from './parts';

describe("a figure's head", () => {
  const whole = { qty: 2.5, total: 3 };

  it('is in net sales where the report is', () => {
    expect(headOf(whole, { inNet: true }, 1250)).toBe('₱1,250.00 net from 3 entries');
    expect(headOf(whole, { inNet: true }, undefined)).toBe('…');
    expect(headOf(whole, { inNet: true }, null)).toBe('– net from 3 entries');
  });

  it('is a quantity elsewhere', () => {
    expect(headOf(whole, {}, undefined)).toBe('2.5 from 3 entries');
  });

  it('leads from the quantity to the cost', () => {
    const priced = { price: 120, unit: 'kg' };
    expect(headOf(whole, { priced }, null)).toBe('2.5 kg × ₱120.00 = ₱300.00 from 3 entries');
    // Rounded once, half away from zero.
    expect(headOf({ qty: 0.333333, total: 1 }, { priced: { price: 0.45, unit: null } }, null)).toBe(
      '0.333 × ₱0.45 = ₱0.15 from 1 entry',
    );
    expect(headOf(whole, { priced: { ...priced, price: null } }, null)).toBe(
      '2.5 kg without a price, from 3 entries',
    );
  });
});

describe('the net sales of parts', () => {
  it('are their sum', () => {
    expect(netOf([{ net: 0.1 }, { net: 0.2 }, { net: -0.05 }], 3)).toBe(0.25);
    expect(netOf([], 0)).toBe(0);
  });

  it('are not known before all parts are here', () => {
    expect(netOf([{ net: 5 }, undefined], 2)).toBeNull();
    expect(netOf([{ net: 5 }], 2)).toBeNull();
    expect(netOf([{ net: 5 }, { net: null }], 2)).toBeNull();
  });
});
