import { expect, it } from 'vitest';
import type { GridRow } from './Grid';
import { keepPlaces } from './useFrozenRows';

const row = (key: string, name = key): GridRow<string> => ({ key, row: name });
const hole = (i: number): GridRow<string> => ({ key: `#${i}`, row: undefined });

it('keeps rows in place and updates them', () => {
  const now = [row('c', 'c2'), row('new'), row('a'), row('b', 'b2')];
  expect(keepPlaces([row('a'), row('b'), row('c')], now)).toEqual([
    row('a'),
    row('b', 'b2'),
    row('c', 'c2'),
  ]);
});

it('keeps a deleted row until released', () => {
  expect(keepPlaces([row('a'), row('b')], [row('b', 'b2')])).toEqual([row('a'), row('b', 'b2')]);
});

it('adds rows that were still loading', () => {
  expect(keepPlaces([row('a'), hole(1), hole(2)], [row('a'), row('b'), hole(2)])).toEqual([
    row('a'),
    row('b'),
    hole(2),
  ]);
});
