import { describe, expect, it } from 'vitest';
import { type Against, alikeWords, compared, leftOutWords } from './paired';

const against = {
  before: 0,
  likeStores: 12,
  likeNet: 0,
  likeBefore: 0,
  comparedNet: 0,
  comparedBefore: 0,
  comparedDays: 26,
  leftOut: 2,
} satisfies Against;

describe('what a comparison left out', () => {
  it('says over how many days it is', () => {
    expect(compared(against)).toBe('26 of 28');
  });

  it('names the stores and their missing days', () => {
    const cubao = {
      id: 'c',
      name: 'Cubao',
      days: 2,
      missing: 2,
      first: ['2026-11-03', '2026-11-04'],
    };
    expect(leftOutWords([cubao], '2026')).toBe('2 days of Cubao: no sales on 3 Nov and 4 Nov');
    const pasig = { id: 'p', name: 'Pasig', days: 1, missing: 5, first: ['2025-11-03'] };
    const rest = [pasig, pasig, pasig, pasig];
    expect(leftOutWords([cubao, ...rest], '2026')).toBe(
      '2 days of Cubao: no sales on 3 Nov and 4 Nov; 1 day of Pasig: no sales on 3 Nov 2025 and 4 more days; ' +
        '1 day of Pasig: no sales on 3 Nov 2025 and 4 more days; days of 2 more stores',
    );
  });

  it('names the stores that are not like for like', () => {
    expect(alikeWords(against, [])).toBe('12 of 12 stores');
    const unlike = [
      { id: 'p', name: 'Pasay', why: 'new', on: '2026-10-03' },
      { id: 't', name: 'Taguig', why: 'noSales', on: null },
    ] as const;
    expect(alikeWords(against, unlike)).toBe(
      '12 of 14 stores; not Pasay (opened 3 Oct 2026) and Taguig (no day in both)',
    );
  });
});
