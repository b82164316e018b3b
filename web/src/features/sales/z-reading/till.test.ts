import { describe, expect, it } from 'vitest';
import { taughtOf, without } from './till';

const template = {
  labels: { gross: ['BENTA', 'Kabuuan'], sc: ['Senior'] },
  absent: ['zero'],
  usual: true,
} as never;

describe('what a till was taught', () => {
  it('is shown by the names of the form', () => {
    const { words, absent } = taughtOf({ template });
    expect(words.map(({ label, field }) => [label, field])).toEqual([
      ['BENTA', 'Gross sales'],
      ['Kabuuan', 'Gross sales'],
      ['Senior', 'Senior discount'],
    ]);
    expect(absent.map(({ field }) => field)).toEqual(['Zero-rated']);
    expect(taughtOf({ template: null }).words).toEqual([]);
  });

  it('is forgotten word by word, the rest stays', () => {
    expect(without({ template }, { seen: 'gross', label: 'BENTA' })).toEqual({
      labels: { gross: ['Kabuuan'], sc: ['Senior'] },
      absent: ['zero'],
      usual: true,
    });
    expect(without({ template }, { seen: 'zero' })).toEqual({
      labels: { gross: ['BENTA', 'Kabuuan'], sc: ['Senior'] },
      absent: [],
      usual: true,
    });
    const last = { labels: { sc: ['Senior'] }, absent: [] } as never;
    expect(without({ template: last }, { seen: 'sc', label: 'Senior' })).toBeNull();
  });
});
