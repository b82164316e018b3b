import { describe, expect, it } from 'vitest';
import { asTree } from '#/table/tree';
import { belowOf, chartOf, fits, positionOf, type Row, rolledUp } from './chart';

const account = (id: string, type: string, balance: number, parentId?: string) =>
  ({
    id,
    name: id,
    type,
    balance,
    parentId,
    currency: 'PHP',
    active: true,
    revision: 1,
    createdAt: '',
    updatedAt: '',
  }) as Row;

const accounts = [
  account('Cash', 'Bank', 100.1),
  account('Till', 'Bank', 0.2, 'Cash'),
  account('Drawer', 'Bank', 0.03, 'Till'),
  account('Stock', 'Other current assets', 50),
  account('Rent', 'Expenses', 10),
  account('Orphan', 'Expenses', 5, 'not shown'),
];

describe('chart of accounts', () => {
  it('sums up parents exactly at any depth', () => {
    const sums = rolledUp(accounts);
    expect(sums.get('Cash')).toBe(10_033);
    expect(sums.get('Till')).toBe(23);
  });

  it('survives cycles', () => {
    const sums = rolledUp([account('A', 'Bank', 1, 'B'), account('B', 'Bank', 2, 'A')]);
    expect(sums.get('A')).toBe(300);
  });

  it('puts sections and types above, with subtotals that count every account once', () => {
    const rows = chartOf(accounts);
    const tree = {
      id: ({ id }: Row) => id,
      parent: belowOf,
      name: ({ name }: Row) => name,
      position: positionOf,
    };
    const { rows: out, branches } = asTree(rows, tree, new Set());
    expect(out.map(({ id }) => `${branches.get(id)?.depth} ${id}`)).toEqual([
      '0 section Asset',
      '1 type Bank',
      '2 Cash',
      '3 Till',
      '4 Drawer',
      '1 type Other current assets',
      '2 Stock',
      '0 section Expense',
      '1 type Expenses',
      '2 Orphan',
      '2 Rent',
    ]);
    const sum = (id: string) => rows.find((row) => row.id === id)?.rolled;
    expect(sum('section Asset')).toBe(150.33);
    expect(sum('type Bank')).toBe(100.33);
    expect(sum('type Expenses')).toBe(15);
  });

  it('lets an account go only below its own type', () => {
    const rows = chartOf(accounts);
    const find = (id: string) => rows.find((row) => row.id === id) as Row;
    expect(fits(find('Till'), find('type Bank'))).toBe(true);
    expect(fits(find('Till'), find('Cash'))).toBe(true);
    expect(fits(find('Till'), find('Stock'))).toBe(false);
    expect(fits(find('Till'), find('section Asset'))).toBe(false);
    expect(fits(find('Till'), null)).toBe(false);
  });
});
