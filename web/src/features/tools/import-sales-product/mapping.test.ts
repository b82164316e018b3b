import { describe, expect, it } from 'vitest';
import {
  answered,
  asProducts,
  assign,
  fieldAt,
  isChosen,
  missing,
  openAsks,
  proposed,
  unfolded,
} from './mapping';
import type { Answer, Ask, Layout, Mapping } from './types';

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
});

describe('questions about a file', () => {
  const ask = {
    id: 'net',
    question: 'Which column is the net amount?',
    answers: [
      { label: '«Total»', set: { columns: { net: 3 } }, lines: 2, qty: 3, net: 30 },
      { label: '«Subtotal»', set: { columns: { net: 4 } }, lines: 2, qty: 3, net: 27 },
    ],
  } as unknown as Ask;
  const layout = { columns: [], asks: [ask] } as unknown as Layout;
  const mapping = {
    columns: { date: 0, item: 1, store: 2, net: 3, discount: 4 },
    store: null,
    answered: [],
  } as unknown as Mapping;

  it('are open until answered, and an answer takes over its column', () => {
    expect(openAsks(layout, mapping)).toEqual([ask]);
    expect(missing(mapping, layout)).toContain('Which column is the net amount?');
    const next = answered(mapping, ask, ask.answers[1] as Answer);
    expect(next.columns).toEqual({ date: 0, item: 1, store: 2, net: 4 });
    expect(openAsks(layout, next)).toEqual([]);
    expect(missing(next, layout)).toEqual([]);
    expect(ask.answers.map((answer) => isChosen(next, ask, answer))).toEqual([false, true]);
  });
});
