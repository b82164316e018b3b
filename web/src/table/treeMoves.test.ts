import { describe, expect, it } from 'vitest';
import { dropTo, type Movable, stepTo, zoneAt } from './treeMoves';

interface Row {
  id: string;
  parentId: string | null;
  position: number;
}

const row = (id: string, parentId: string | null, position: number): Row => ({
  id,
  parentId,
  position,
});
// a (a1, a2 (a21)), b, c
const rows = [
  row('a', null, 1),
  row('b', null, 2),
  row('c', null, 3),
  row('a1', 'a', 1),
  row('a2', 'a', 2),
  row('a21', 'a2', 1),
];
const tree: Movable<Row> = {
  id: ({ id }) => id,
  parent: ({ parentId }) => parentId,
  name: ({ id }) => id,
  position: ({ position }) => position,
  ordered: true,
  fits: () => true,
};

describe('moving by key', () => {
  it('moves one up or down among its siblings, and no further', () => {
    expect(stepTo(rows, tree, 'b', 'up')).toEqual({ under: null, before: 'a' });
    expect(stepTo(rows, tree, 'b', 'down')).toEqual({ under: null, before: null });
    expect(stepTo(rows, tree, 'a', 'down')).toEqual({ under: null, before: 'c' });
    expect(stepTo(rows, tree, 'a', 'up')).toBeNull();
    expect(stepTo(rows, tree, 'c', 'down')).toBeNull();
  });

  it('moves in below the row before it, and out beside its parent', () => {
    expect(stepTo(rows, tree, 'b', 'in')).toEqual({ under: 'a', before: null });
    expect(stepTo(rows, tree, 'a', 'in')).toBeNull();
    expect(stepTo(rows, tree, 'a21', 'out')).toEqual({ under: 'a', before: null });
    expect(stepTo(rows, tree, 'a1', 'out')).toEqual({ under: null, before: 'b' });
    expect(stepTo(rows, tree, 'c', 'out')).toBeNull();
  });

  it('cannot change an order by name', () => {
    const named = { ...tree, ordered: false };
    expect(stepTo(rows, named, 'b', 'up')).toBeNull();
    expect(stepTo(rows, named, 'b', 'in')).toEqual({ under: 'a', before: null });
  });

  it('checks where a row fits', () => {
    const picky = { ...tree, fits: (_: Row, under: Row | null) => under !== null };
    expect(stepTo(rows, picky, 'a1', 'out')).toBeNull();
  });
});

describe('dropping on a row', () => {
  const drop = (id: string, over: string, zone: 'before' | 'into' | 'after', open = false) =>
    dropTo(rows, tree, id, over, zone, open);

  it('lands before, after or in it', () => {
    expect(drop('c', 'a', 'before')).toEqual({ under: null, before: 'a' });
    expect(drop('a1', 'b', 'after')).toEqual({ under: null, before: 'c' });
    expect(drop('a1', 'c', 'after')).toEqual({ under: null, before: null });
    expect(drop('c', 'a', 'into')).toEqual({ under: 'a', before: null });
  });

  it('lands first in an open row, as its drop line shows', () => {
    expect(drop('c', 'a', 'after', true)).toEqual({ under: 'a', before: 'a1' });
    expect(drop('c', 'a', 'after', false)).toEqual({ under: null, before: 'b' });
  });

  it('never lands in itself or below itself', () => {
    expect(drop('a', 'a', 'into')).toBeNull();
    expect(drop('a', 'a21', 'into')).toBeNull();
    expect(drop('a', 'a1', 'before')).toBeNull();
  });

  it('does nothing at its own position', () => {
    expect(drop('b', 'a', 'after')).toBeNull();
    expect(drop('b', 'c', 'before')).toBeNull();
    expect(drop('a2', 'a', 'into')).toBeNull();
    expect(drop('a1', 'a', 'into')).toEqual({ under: 'a', before: null });
  });
});

it('takes the edges of a row for between, if siblings are ordered', () => {
  expect([0.1, 0.5, 0.9].map((share) => zoneAt(share, true))).toEqual(['before', 'into', 'after']);
  expect(zoneAt(0.1, false)).toBe('into');
});
