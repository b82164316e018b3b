import { describe, expect, it } from 'vitest';
import type { TenderPair } from './api';
import { comparedWords } from './columns';

const pair = (words: string) =>
  ({ kind: 'fileReading', state: 'agrees', left: 900, right: 900, words }) as TenderPair;

describe('what is said of a comparison', () => {
  it('names the days that one reading covers', () => {
    const row = { date: '2026-11-08', coversFrom: '2026-11-06', pairs: [pair('Agrees')] };
    expect(comparedWords(row)).toBe(
      '6 Nov 2026 to 8 Nov 2026 together: one Z-reading covers them.\n' +
        'Sales file – Z-reading: ₱900.00 and ₱900.00. Agrees',
    );
  });

  it('says the reason where a file tells of a part how it was paid', () => {
    const row = { date: '2026-11-08', pairs: [pair('Payments of ₱900.00 of ₱1,500.00')] };
    expect(comparedWords(row)).toBe(
      'Sales file – Z-reading: ₱900.00 and ₱900.00. Payments of ₱900.00 of ₱1,500.00',
    );
  });
});
