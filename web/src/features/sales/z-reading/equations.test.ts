import { describe, expect, it } from 'vitest';
import { equations } from './equations';

const figures: Record<string, number> = {
  gross: 63204.54,
  vatable: 50400.8,
  vat: 6048.1,
  exempt: 3917.37,
  zeroRated: 358.62,
  senior: 587.61,
  pwd: 207.6,
  otherDiscount: 506.27,
  voids: 150.81,
  returns: 383.15,
  vatAdjustment: 644.21,
  net: 60724.89,
  previousTotal: 11213884.28,
  presentTotal: 11274609.17,
  firstSi: 703235,
  lastSi: 703826,
  transactions: 592,
  zCounter: 21,
};
const paid = [35841.32, 11657.87, 13225.7];
const terms = { basis: 'net', vatForm: 'exclusive' };
const with_ = (changed: Record<string, number>) => (field: string) =>
  ({ ...figures, ...changed })[field] ?? null;
it('tells a sum that is rounded from one that is equal', () => {
  const vat = (value: number) =>
    equations(with_({ vat: value }), paid, terms).find(({ name }) => name === 'vat');
  expect(vat(6048.1)).toMatchObject({ holds: true, rounded: false });
  expect(vat(6048.12)).toMatchObject({ holds: true, rounded: true });
});

const failing = (changed: Record<string, number>, before?: { zCounter: number }) =>
  equations(with_(changed), paid, terms, before)
    .filter(({ holds }) => !holds)
    .map(({ name }) => name);

describe('the equations of a reading', () => {
  it('hold for a printed reading', () => {
    expect(equations(with_({}), paid, terms)).toHaveLength(6);
    expect(failing({})).toEqual([]);
  });

  it.each([
    ['net', 60724.98, ['net', 'parts', 'present', 'tenders']],
    ['vat', 6048.2, ['vat', 'parts']],
    ['presentTotal', 11274608.17, ['present']],
    ['senior', 581.61, ['net']],
    ['transactions', 593, ['invoices']],
  ])('detect a wrong %s', (field, value, names) => {
    expect(failing({ [field]: value })).toEqual(names);
  });

  it('show both sides', () => {
    const [net] = equations(with_({ net: 60724.98 }), paid, terms);
    expect(`${net?.left} ≠ ${net?.right}`).toBe(
      'Net ₱60,724.98 ≠ Gross less deductions ₱60,724.89',
    );
  });

  it('continue from the previous reading, and restart after the maximum total', () => {
    expect(failing({}, { zCounter: 20 })).toEqual([]);
    expect(failing({}, { zCounter: 18 })).toEqual(['zCounter']);
    expect(failing({ previousTotal: 9999999999.99, presentTotal: 60724.88 })).toEqual([]);
  });

  it('skip missing figures', () => {
    expect(equations(() => null, [], terms)).toEqual([]);
  });
});
