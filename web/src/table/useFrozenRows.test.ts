import { expect, it } from 'vitest';
import type { GridRow } from './Grid';
import { keepPlaces } from './useFrozenRows';

const row = (key: string, name = key): GridRow<string> => ({ key, row: name });
const hole = (i: number): GridRow<string> => ({ key: `#${i}`, row: undefined });

it('keeps rows at their places and shows them as they are now', () => {
  const now = [row('c', 'c2'), row('new'), row('a'), row('b', 'b2')];
  expect(keepPlaces([row('a'), row('b'), row('c')], now)).toEqual([
    row('a'),
    row('b', 'b2'),
    row('c', 'c2'),
  ]);
});

it('keeps a row that is gone until it may go', () => {
  expect(keepPlaces([row('a'), row('b')], [row('b', 'b2')])).toEqual([row('a'), row('b', 'b2')]);
});

it('lets in what was still on its way', () => {
  expect(keepPlaces([row('a'), hole(1), hole(2)], [row('a'), row('b'), hole(2)])).toEqual([
    row('a'),
    row('b'),
    hole(2),
  ]);
});
