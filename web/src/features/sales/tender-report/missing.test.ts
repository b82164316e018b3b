import { describe, expect, it } from 'vitest';
import { missingWords } from './missing';

describe('the head of the tender report', () => {
  it('sums what is listed', () => {
    const sums = { missing: 646_224.55, rows: 13, stores: 5, oldest: 9 };
    expect(missingWords(sums, 'cash')).toBe(
      '₱646,224.55 of cash is not in the bank: 13 days of 5 stores, the oldest for 9 days.',
    );
  });

  it('names no kind without a filter', () => {
    const sums = { missing: 100, rows: 1, stores: 1, oldest: null };
    expect(missingWords(sums, '')).toBe('₱100.00 is not in the bank: 1 row of 1 store.');
  });
});
