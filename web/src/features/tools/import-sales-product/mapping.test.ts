import { describe, expect, it } from 'vitest';
import {
  asProducts,
  assign,
  fieldAt,
  letterOf,
  meaningAt,
  missing,
  nameOf,
  onSheet,
  proposed,
  storeSource,
  unfolded,
} from './mapping';
import type { Layout } from './types';

const layout: Layout = {
  format: 'csv',
  hasHeader: true,
  decimal: '.',
  columns: [
    { index: 0, header: 'invoice', samples: ['16118'], suggested: 'receipt', mayBeQuantity: false },
    {
      index: 1,
      header: 'Order Date',
      samples: ['03/08/19 20:25'],
      suggested: 'date',
      mayBeQuantity: false,
    },
    {
      index: 2,
      header: 'description',
      samples: ['Plain Papadum'],
      suggested: 'item',
      mayBeQuantity: false,
    },
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
  it('begins with the suggestions', () => {
    const mapping = proposed(layout, null);
    expect(mapping.columns).toEqual({ receipt: 0, date: 1, item: 2 });
    expect(mapping.dateFormat).toBe('dmy');
  });

  it('requires a store column or one chosen store', () => {
    const mapping = proposed(layout, null);
    expect(missing(mapping)).toHaveLength(1);
    expect(missing({ ...mapping, store: { fixed: 's1' } })).toEqual([]);
    expect(missing(assign(mapping, 0, 'store'))).toEqual([]);
  });

  it('takes the store that the file names as a proposal, for the sheet that names it', () => {
    const suggestion = { ...proposed(layout, null), store: { fixed: 's1' } };
    const storeFrom = 'the sheet «North»';
    const file = { ...layout, storeFrom, suggestion } as unknown as Layout;
    const mapping = proposed(file, null);
    expect(mapping.store).toEqual({ fixed: 's1' });
    expect(storeSource(file, mapping)).toBe('the sheet «North»');
    expect(storeSource(file, { ...mapping, store: { fixed: 's2' } })).toBeNull();
    expect(assign(mapping, 0, 'store').store).toBeNull();
    expect(onSheet(file, mapping, 'South')).toMatchObject({ sheet: 'South', store: null });
    const chosen = { ...mapping, store: { fixed: 's2' } };
    expect(onSheet(file, chosen, 'South').store).toEqual({ fixed: 's2' });
  });

  it('asks before each row counts as one', () => {
    const columns = [
      ...layout.columns,
      {
        index: 3,
        header: 'how_many',
        samples: ['2'],
        suggested: null,
        mayBeQuantity: true,
        sum: 13,
      },
    ];
    const file = { ...layout, columns };
    const mapping = { ...proposed(file, null), store: { fixed: 's1' } };
    expect(missing(mapping, file)).toEqual([
      'Choose the quantity column, or say that each row counts as one.',
    ]);
    expect(missing({ ...mapping, eachRowIsOne: true }, file)).toEqual([]);
    expect(missing(assign(mapping, 3, 'quantity'), file)).toEqual([]);
  });

  it('unpivots a file with one column per product, once chosen', () => {
    const file: Layout = {
      ...layout,
      columns: [
        { index: 0, header: 'datetime', samples: [], suggested: 'date', mayBeQuantity: false },
        { index: 1, header: 'place', samples: [], suggested: 'store', mayBeQuantity: false },
        { index: 2, header: 'bread', samples: ['1'], suggested: null, mayBeQuantity: false },
        { index: 3, header: 'jam', samples: ['2'], suggested: null, mayBeQuantity: false },
      ],
      productColumns: [2, 3],
      firstRows: [
        ['2019-07-11', 'Station', '', '2'],
        ['2019-07-12', 'Market', '1', '0'],
      ],
    };
    const mapping = proposed(file, null);
    expect(missing(mapping, file)).toEqual(['Say whether each product has a column of its own.']);
    const yes = asProducts(file, mapping, true);
    expect(missing(yes, file)).toEqual([]);
    expect(unfolded(file, yes)).toEqual([
      { date: '2019-07-11', store: 'Station', item: 'jam', quantity: '2' },
      { date: '2019-07-12', store: 'Market', item: 'bread', quantity: '1' },
    ]);
    expect(missing(asProducts(file, yes, false), file)).toEqual([
      'Choose the column that holds the item.',
    ]);
  });

  it('gives a meaning to one column at a time', () => {
    const mapping = assign(proposed(layout, null), 0, 'item');
    expect(fieldAt(mapping, 0)).toBe('item');
    expect(fieldAt(mapping, 2)).toBeNull();
    expect(mapping.columns.receipt).toBeUndefined();
    expect(fieldAt(assign(mapping, 0, null), 0)).toBeNull();
  });

  it('needs a column of dates or one day for the file', () => {
    const chosen = { ...proposed(layout, null), store: { fixed: 's1' } };
    const mapping = assign(chosen, 1, null);
    const words = 'Choose the column that holds the date, or one day for the whole file.';
    expect(missing(mapping)).toEqual([words]);
    expect(missing({ ...mapping, day: '2026-11-13' })).toEqual([]);
    expect(missing({ ...mapping, day: '2026-11-' })).toEqual([words]);
    expect(assign({ ...mapping, day: '2026-11-13' }, 1, 'date').day).toBeNull();
  });

  it('takes the day from its own file where the mapping is remembered from another one', () => {
    const mapping = assign(proposed(layout, null), 1, null);
    const suggestion = { ...mapping, day: '2026-11-13' } as unknown as Layout['suggestion'];
    const file = { ...layout, suggestion };
    expect(proposed(file, mapping).day).toBe('2026-11-13');
    expect(proposed(file, { ...mapping, day: '2026-11-12' }).day).toBe('2026-11-12');
    expect(proposed(file, assign(mapping, 1, 'date')).day).toBeNull();
  });

  it('has as many status columns as the file', () => {
    const first = assign(proposed(layout, null), 2, 'status');
    const both = assign(first, 0, 'status');
    expect(both.statuses).toEqual([0, 2]);
    expect([0, 1, 2].map((index) => meaningAt(both, index))).toEqual(['status', 'date', 'status']);
    expect(assign(both, 2, 'item').statuses).toEqual([0]);
    expect(assign(both, 0, null).statuses).toEqual([2]);
  });
});

describe('the name of a column', () => {
  const column = (index: number, header: string) => ({
    index,
    header,
    samples: [],
    suggested: null,
    mayBeQuantity: false,
  });
  const columns = [column(3, 'Item'), column(7, 'Total'), column(27, 'total ')];

  it('has its letter where two headings are the same', () => {
    expect(columns.map((one) => nameOf(one, true, columns))).toEqual([
      'Item',
      'Total (H)',
      'total (AB)',
    ]);
    expect(nameOf(column(3, ''), true, columns)).toBe('Column 4');
    expect(nameOf(column(7, 'Total'), false, columns)).toBe('Column 8');
  });

  it('has letters as in a spreadsheet', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(letterOf)).toEqual([
      'A',
      'Z',
      'AA',
      'AZ',
      'BA',
      'ZZ',
      'AAA',
    ]);
  });
});
