import { describe, expect, it } from 'vitest';
import type { ZReading } from './api';
import { changedOf, faultOf, numberOf, paidOf, valuesOf } from './form';

const reading = {
  terminalId: 'T1',
  businessDate: '2026-11-20',
  zCounter: 21,
  gross: 100.5,
  firstSi: '00000041',
  tenders: [
    { kind: 'cash', label: 'CASH', amount: 0.1 },
    { kind: 'cash', label: 'CASH 2', amount: 0.2 },
    { kind: 'card', label: 'VISA', amount: 5 },
  ],
} as unknown as ZReading;

describe('the form of a reading', () => {
  const was = valuesOf(reading);

  it('shows amounts with centavos, and groups tenders by kind', () => {
    expect(was).toMatchObject({ gross: '100.50', 'tender:cash': '0.30', zCounter: '21', net: '' });
    expect(paidOf(was)).toEqual([0.3, 5]);
  });

  it('sends only changes; an unchanged tender keeps its lines', () => {
    expect(changedOf(was, was, reading.tenders)).toEqual({});
    const now = { ...was, gross: '100.50+1', net: '99', 'tender:card': '6', firstSi: '' };
    expect(changedOf(now, was, reading.tenders)).toEqual({
      gross: 101.5,
      net: 99,
      firstSi: null,
      tenders: [reading.tenders[0], reading.tenders[1], { kind: 'card', label: 'Card', amount: 6 }],
    });
  });

  it('parses invoices by their digits and reports invalid numbers', () => {
    expect(numberOf(was, 'firstSi')).toBe(41);
    const gross = { name: 'gross', label: '', kind: 'money' } as const;
    expect(faultOf({ gross: '1O' }, gross)).toBe('Enter a number.');
    expect(faultOf({ gross: '1,000.50' }, gross)).toBeNull();
  });
});
