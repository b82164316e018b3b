import { describe, expect, it } from 'vitest';
import { assign, fieldAt, missing, proposed } from './mapping';
import type { Layout } from './types';

const layout: Layout = {
  format: 'csv',
  hasHeader: true,
  decimal: '.',
  columns: [
    { index: 0, header: 'invoice', samples: ['16118'], suggested: 'receipt' },
    { index: 1, header: 'Order Date', samples: ['03/08/19 20:25'], suggested: 'date' },
    { index: 2, header: 'description', samples: ['Plain Papadum'], suggested: 'item' },
  ],
  dateFormats: [
    {
      columns: [1],
      format: 'dmy',
      example: { raw: '03/08/19 20:25', reads: '3 Aug 2019' },
      certain: false,
    },
  ],
};

describe('mapping of a sales file', () => {
  it('begins with what the columns look like', () => {
    const mapping = proposed(layout, null);
    expect(mapping.columns).toEqual({ receipt: 0, date: 1, item: 2 });
    expect(mapping.dateFormat).toBe('dmy');
  });

  it('asks for a store until a column or one store is chosen', () => {
    const mapping = proposed(layout, null);
    expect(missing(mapping)).toHaveLength(1);
    expect(missing({ ...mapping, store: { fixed: 's1' } })).toEqual([]);
    expect(missing(assign(mapping, 0, 'store'))).toEqual([]);
  });

  it('gives a meaning to one column at a time', () => {
    const mapping = assign(proposed(layout, null), 0, 'item');
    expect(fieldAt(mapping, 0)).toBe('item');
    expect(fieldAt(mapping, 2)).toBeNull();
    expect(mapping.columns.receipt).toBeUndefined();
    expect(fieldAt(assign(mapping, 0, null), 0)).toBeNull();
  });
});
