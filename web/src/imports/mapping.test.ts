import { describe, expect, it } from 'vitest';
import { meaningOf, suggestedColumns, withMeaning } from './mapping';

type Field = 'date' | 'item';

describe('the columns of a file', () => {
  const columns = suggestedColumns<Field>([
    { index: 0, suggested: 'date' },
    { index: 1, suggested: null },
    { index: 2, suggested: 'date' },
  ]);

  it('are taken as suggested, the first of two that mean the same', () => {
    expect(columns).toEqual({ date: 0 });
    expect([meaningOf(columns, 0), meaningOf(columns, 2)]).toEqual(['date', null]);
  });

  it('mean one thing each, and a meaning has one column', () => {
    expect(withMeaning(columns, 2, 'date')).toEqual({ date: 2 });
    expect(withMeaning<Field>({ date: 0, item: 1 }, 0, 'item')).toEqual({ item: 0 });
    expect(withMeaning<Field>(columns, 0, null)).toEqual({});
  });
});
