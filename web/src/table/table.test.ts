import { describe, expect, it } from 'vitest';
import { compare, matching } from './filter';
import { asTree, withAncestors } from './tree';
import type { Column } from './types';
import { readSort, writeSort } from './useTableState';

interface Row {
  id: string;
  name: string;
  parentId: string | null;
}

const tree = {
  id: (row: Row) => row.id,
  parent: (row: Row) => row.parentId,
  name: (row: Row) => row.name,
};
const row = (id: string, name: string, parentId: string | null = null): Row => ({
  id,
  name,
  parentId,
});
const rows = [row('3', 'Sauces', '1'), row('1', 'Food'), row('2', 'Drinks'), row('4', 'Hot', '3')];

describe('sort in the address', () => {
  it('round trips', () => {
    expect(readSort('-name')).toEqual({ by: 'name', down: true });
    expect(writeSort(readSort('-name'))).toBe('-name');
    expect(writeSort(readSort('name'))).toBe('name');
    expect(readSort('')).toBeNull();
    expect(readSort('-')).toBeNull();
  });
});

describe('filter', () => {
  const columns: Column<Row>[] = [{ id: 'name', label: 'Name', value: ({ name }) => name }];

  it('finds every word, ignoring case and accents', () => {
    const some = [row('1', 'Señor Adobo'), row('2', 'Adobo')];
    expect(matching(some, columns, 'senor ADO')).toEqual([some[0]]);
    expect(matching(some, columns, '  ')).toEqual(some);
    expect(matching(some, columns, 'x')).toEqual([]);
  });

  it('compares numbers in text naturally', () => {
    expect(compare('Item 9', 'Item 10')).toBeLessThan(0);
    expect(compare(2, 10)).toBeLessThan(0);
  });
});

describe('tree', () => {
  it('puts children under their parents, siblings by name', () => {
    const { rows: out, branches } = asTree(rows, tree, new Set());
    expect(out.map(({ name }) => name)).toEqual(['Drinks', 'Food', 'Sauces', 'Hot']);
    expect(branches.get('4')?.depth).toBe(2);
    expect(branches.get('1')?.children).toBe(1);
  });

  it('hides rows under a closed branch', () => {
    const { rows: out } = asTree(rows, tree, new Set(['1']));
    expect(out.map(({ name }) => name)).toEqual(['Drinks', 'Food']);
  });

  it('keeps rows whose parents are missing or cyclic', () => {
    const odd = [row('a', 'A', 'b'), row('b', 'B', 'a'), row('c', 'C', 'gone')];
    expect(asTree(odd, tree, new Set()).rows).toHaveLength(3);
  });

  it('shows a match with its ancestors', () => {
    const hot = rows.filter(({ name }) => name === 'Hot');
    expect(
      withAncestors(hot, rows, tree)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Food', 'Hot', 'Sauces']);
  });
});
