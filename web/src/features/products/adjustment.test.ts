import { describe, expect, it } from 'vitest';
import { adjustmentOf, type StockByPlace } from './adjustment';

const PASIG = { kind: 'commissary', id: 'p', name: 'Pasig' } as const;
const MANDAUE = { kind: 'commissary', id: 'm', name: 'Mandaue' } as const;
const LIES: StockByPlace = {
  total: 36,
  places: [{ placeKind: 'commissary', placeId: 'p', placeName: 'Pasig', qty: 36, lastMovedAt: '' }],
  defaultPlace: MANDAUE,
};

describe('an adjustment', () => {
  it('sets the stock at the chosen place', () => {
    expect(adjustmentOf('5', LIES, MANDAUE, 'jar')).toEqual({
      quantity: 5,
      wrong: null,
      lines: ['Mandaue: 0 jar → 5 jar (+5 jar)', 'All places: 41 jar'],
    });
    expect(adjustmentOf('30', LIES, PASIG, 'jar').lines[1]).toBe('All places: 30 jar');
  });

  it('sets the total without a place, and takes no place below zero', () => {
    expect(adjustmentOf('40', LIES, null, 'jar').lines).toEqual([
      'All places: 36 jar → 40 jar',
      '+4 jar at Mandaue: 0 jar → 4 jar',
    ]);
    expect(adjustmentOf('5', LIES, null, 'jar')).toEqual({
      quantity: null,
      wrong: 'Mandaue would go below zero; there is 36 jar at Pasig. Choose the place you counted.',
      lines: [],
    });
    expect(adjustmentOf('36', LIES, null, 'jar').lines).toEqual(['Nothing changes.']);
  });

  it('calculates a sum and reports invalid text', () => {
    expect(adjustmentOf('12*3', LIES, PASIG, 'jar')).toEqual({
      quantity: 36,
      wrong: null,
      lines: ['= 36 jar', 'Nothing changes.'],
    });
    expect(adjustmentOf('a dozen', LIES, PASIG, 'jar').wrong).toBe(
      'Enter a number, such as 12.5 or 12*3.',
    );
    expect(adjustmentOf('-1', LIES, PASIG, 'jar').wrong).toBe('Enter zero or more.');
    expect(adjustmentOf(' ', LIES, PASIG, 'jar')).toEqual({
      quantity: null,
      wrong: null,
      lines: [],
    });
  });
});
