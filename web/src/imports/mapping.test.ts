import { describe, expect, it } from 'vitest';
import { meaningOf, suggestedColumns, withMeaning } from './mapping';

type Field = 'date' | 'item';

describe('column mapping', () => {
  const columns = suggestedColumns<Field>([
    { index: 0, suggested: 'date' },
    { index: 1, suggested: null },
    { index: 2, suggested: 'date' },
  ]);

  it('takes the suggestions, the first of two with the same meaning', () => {
    expect(columns).toEqual({ date: 0 });
    expect([meaningOf(columns, 0), meaningOf(columns, 2)]).toEqual(['date', null]);
  });

  it('gives a column one meaning, and a meaning one column', () => {
    expect(withMeaning(columns, 2, 'date')).toEqual({ date: 2 });
    expect(withMeaning<Field>({ date: 0, item: 1 }, 0, 'item')).toEqual({ item: 0 });
    expect(withMeaning<Field>(columns, 0, null)).toEqual({});
  });
});
