import { describe, expect, it } from 'vitest';
import type { Tile } from './api';
import { byUrgency, changeOf, moved, urgency } from './order';

const tile = (name: string, count?: number, late = 0, urgent = 0): Tile =>
  ({
    name,
    title: name,
    hidden: false,
    waiting:
      count === undefined
        ? undefined
        : { count, late, urgent, words: '', days: [], items: [], href: '' },
  }) as Tile;

describe('the order of Home', () => {
  it('moves a tile without losing one', () => {
    expect(moved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
    expect(moved(['a', 'b', 'c'], 'c', -4)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b', 'c'], 'b', 9)).toEqual(['a', 'c', 'b']);
  });

  it('puts what is urgent first on a phone, then what is late', () => {
    const late = [tile('late', 3, 1), tile('urgent', 3, 2, 1)];
    const tiles = [tile('sales'), tile('none', 0), tile('waits', 2), ...late];
    const names = byUrgency(tiles).map(({ name }) => name);
    expect(names).toEqual(['urgent', 'late', 'waits', 'sales', 'none']);
  });

  it('shows only what is urgent in red', () => {
    expect(urgency(tile('late', 3, 3))).toBe('late');
    expect(urgency(tile('urgent', 3, 3, 1))).toBe('urgent');
  });

  it('compares only with a base', () => {
    expect(changeOf(110, 100)).toBeCloseTo(0.1);
    expect(changeOf(110, 0)).toBeNull();
    expect(changeOf(110, null)).toBeNull();
  });
});
