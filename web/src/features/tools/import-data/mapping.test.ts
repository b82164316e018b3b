import { describe, expect, it } from 'vitest';
import { assign, fieldAt, keysOf, lacking, matchable, missing, proposed, writing } from './mapping';
import type { ImportList, Layout } from './types';

const list: ImportList = {
  slug: 'products',
  label: 'Products',
  one: 'product',
  canCreate: true,
  canEdit: true,
  fields: [
    { name: 'id', label: 'Id', kind: 'id', required: false },
    { name: 'sku', label: 'SKU', kind: 'text', required: false },
    { name: 'name', label: 'Name', kind: 'text', required: true },
    { name: 'baseUom', label: 'Base UOM', kind: 'reference', required: false, reference: 'uoms' },
    { name: 'reorderPoint', label: 'Reorder point', kind: 'quantity', required: false },
    { name: 'expiry', label: 'Expiry', kind: 'date', required: false },
  ],
};
const tree: ImportList = {
  ...list,
  slug: 'chart-of-accounts',
  fields: [
    { name: 'fullName', label: 'Full name', kind: 'path', required: false },
    { name: 'number', label: 'Number', kind: 'text', required: false },
    { name: 'name', label: 'Name', kind: 'text', required: true },
  ],
};
const layout: Layout = {
  format: 'csv',
  hasHeader: true,
  rows: 2,
  decimal: ',',
  dateFormat: 'dmy',
  columns: [
    { index: 0, header: 'Item code', samples: ['P-1'], suggested: 'sku' },
    { index: 1, header: 'Item', samples: ['Pandesal'], suggested: 'name' },
    { index: 2, header: 'Unit', samples: ['piece'], suggested: 'baseUom' },
    { index: 3, header: 'Remarks', samples: ['–'], suggested: null },
  ],
};
const first = proposed(layout, list, null);

describe('mapping of a file for a list', () => {
  it('begins with the suggestions, and matches by the most reliable field', () => {
    expect(first).toEqual({
      hasHeader: true,
      sheet: undefined,
      columns: { sku: 0, name: 1, baseUom: 2 },
      match: 'code',
      decimal: ',',
      dateFormat: 'dmy',
      missing: 'ignore',
    });
  });

  it('keeps an earlier mapping, unless the columns differ', () => {
    const earlier = { ...first, columns: { name: 3 }, match: 'name' as const };
    expect(proposed(layout, list, earlier).columns).toEqual({ name: 3 });
    expect(proposed(layout, list, { ...earlier, columns: { name: 9 } }).columns.sku).toBe(0);
    expect(proposed(layout, list, { ...earlier, columns: { gone: 1 } }).columns.sku).toBe(0);
    const sheets: Layout = { ...layout, format: 'xlsx', sheets: ['A', 'B'], sheet: 'B' };
    expect(proposed(sheets, list, { ...earlier, sheet: 'A' }).columns.sku).toBe(0);
  });

  it('assigns a field to one column at a time, and matches only by mapped fields', () => {
    const moved = assign(list, first, 3, 'sku');
    expect([fieldAt(moved, 3), fieldAt(moved, 0), moved.match]).toEqual(['sku', null, 'code']);
    const without = assign(list, first, 0, null);
    expect(without.match).toBe('name');
    expect(matchable(list, { id: 0, name: 1 })).toEqual(['id', 'name']);
  });

  it('reports missing columns, and what new records would lack', () => {
    expect(missing(list, first)).toEqual([]);
    expect(missing(list, { ...first, columns: {} })).toHaveLength(1);
    expect(missing(list, { ...first, columns: { baseUom: 2 } })).toEqual([
      'Choose a column for Name or SKU: records are told apart by it.',
    ]);
    expect(lacking(list, { ...first, columns: { sku: 0 } }).map(({ name }) => name)).toEqual([
      'name',
    ]);
  });

  it('treats a name with its parents as a name', () => {
    const columns = { fullName: 0 };
    expect(matchable(tree, columns)).toEqual(['name']);
    expect(lacking(tree, { ...first, columns })).toEqual([]);
    expect(keysOf(tree).code?.name).toBe('number');
  });

  it('asks about numbers, dates and unknown names only if there are any', () => {
    const none = writing(list, { ...first, columns: { name: 1 } });
    expect([none.numbers, none.dates, none.references]).toEqual([false, false, []]);
    const all = writing(list, { ...first, columns: { baseUom: 1, reorderPoint: 2, expiry: 3 } });
    expect([all.numbers, all.dates, all.references.length]).toEqual([true, true, 1]);
  });
});
