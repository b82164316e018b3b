import { describe, expect, it } from 'vitest';
import type { Tile } from './api';
import { byUrgency, changeOf, moved } from './order';

const tile = (name: string, count?: number, late = 0): Tile =>
  ({
    name,
    title: name,
    hidden: false,
    waiting:
      count === undefined ? undefined : { count, late, words: '', days: [], items: [], href: '' },
  }) as Tile;

describe('the order of Home', () => {
  it('moves a tile without losing one', () => {
    expect(moved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
    expect(moved(['a', 'b', 'c'], 'c', -4)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b', 'c'], 'b', 9)).toEqual(['a', 'c', 'b']);
  });

  it('puts what is late first on a phone', () => {
    const tiles = [tile('sales'), tile('none', 0), tile('waits', 2), tile('late', 3, 1)];
    expect(byUrgency(tiles).map(({ name }) => name)).toEqual(['late', 'waits', 'sales', 'none']);
  });

  it('compares only with a base', () => {
    expect(changeOf(110, 100)).toBeCloseTo(0.1);
    expect(changeOf(110, 0)).toBeNull();
    expect(changeOf(110, null)).toBeNull();
  });
});
