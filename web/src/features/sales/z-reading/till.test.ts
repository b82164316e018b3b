import { describe, expect, it } from 'vitest';
import { taughtOf, without } from './till';

const template = {
  labels: { gross: ['BENTA', 'Kabuuan'], sc: ['Senior'] },
  absent: ['zero'],
  usual: true,
} as never;

describe('a taught till', () => {
  it("is described in the form's labels", () => {
    const { words, absent } = taughtOf({ template });
    expect(words.map(({ label, field }) => [label, field])).toEqual([
      ['BENTA', 'Gross sales'],
      ['Kabuuan', 'Gross sales'],
      ['Senior', 'Senior discount'],
    ]);
    expect(absent.map(({ field }) => field)).toEqual(['Zero-rated']);
    expect(taughtOf({ template: null }).words).toEqual([]);
  });

  it('forgets one word, and keeps the rest', () => {
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
