import { describe, expect, it } from 'vitest';
import { begin } from './definition';
import { complaint, read, written } from './typed';
import type { Dataset, Datasets, Definition, Field } from './types';

const field = (key: string, label: string, measure = false): Field => ({
  key,
  label,
  group: '',
  type: measure ? 'money' : 'text',
  row: !measure,
  column: !measure,
  filter: true,
  measure,
  rules: [],
  unit: false,
  notBy: [],
});
const when = [
  field('date', 'Date'),
  field('week', 'Week'),
  field('month', 'Month'),
  field('quarter', 'Quarter'),
];
const places = [
  field('store', 'Store'),
  field('operationalArea', 'Operational area'),
  field('regionalArea', 'Regional area'),
];
const dataset = (key: string, label: string, fields: Field[]): Dataset => ({
  key,
  label,
  about: '',
  ahead: false,
  fields: [...when, ...places, ...fields],
});
const sales = dataset('sales', 'Sales lines', [
  field('item', 'POS item'),
  field('category', 'Category'),
  field('net', 'Net sales', true),
  field('gross', 'Gross sales', true),
  field('qty', 'Quantity sold', true),
  field('discountShare', 'Discount %', true),
]);
const storeDays = dataset('storeDays', 'Store-days', [
  field('net', 'Net sales', true),
  field('receipts', 'Receipts', true),
]);
const datasets: Datasets = {
  items: [sales, storeDays],
  ranges: [
    { key: 'last-4-weeks', label: 'Last 4 weeks' },
    { key: 'last-month', label: 'Last month' },
    { key: 'this-month', label: 'This month' },
    { key: 'last-12-months', label: 'Last 12 months' },
  ],
};
const start = begin(sales);
const taken = (text: string, current: Definition = start) => {
  const { definition, unclear } = read(text, current, datasets);
  expect(unclear, text).toEqual([]);
  return definition;
};
const refused = (text: string) => complaint(read(text, start, datasets).unclear);

describe('a report as text', () => {
  it('has figures, rows, columns, days and top rows', () => {
    expect(
      taken('net sales by store and month, change, last 6 months and this one, top 10'),
    ).toEqual({
      dataset: 'sales',
      range: { last: 6, unit: 'month', running: true },
      rows: ['store', 'month'],
      columns: [],
      measures: [
        { field: 'net', rule: 'sum' },
        { field: 'net', rule: 'change' },
      ],
      compare: 'range',
      filters: [],
      sort: null,
      top: { rows: 10, other: true, by: 'all' },
      chart: 'bars',
    });
    expect(
      taken('Store-days: net sales running total, receipts by store across date, this month'),
    ).toMatchObject({
      dataset: 'storeDays',
      range: { named: 'this-month' },
      rows: ['store'],
      columns: ['date'],
      measures: [
        { field: 'net', rule: 'running' },
        { field: 'receipts', rule: 'sum' },
      ],
    });
  });

  it('has calculations before and after their figures', () => {
    const rules = (text: string) =>
      taken(text).measures.map(({ field: key, rule }) => `${key} ${rule}`);
    expect(rules('net sales change')).toEqual(['net change']);
    expect(rules('change of net sales, quantity sold')).toEqual(['net change', 'qty sum']);
    expect(rules('net sales, share, average a day')).toEqual([
      'net sum',
      'net share',
      'net avgPerDay',
    ]);
    expect(rules('discount %, change, running total')).toEqual([
      'discountShare sum',
      'discountShare change',
      'discountShare running',
    ]);
    expect(rules('net sales against last month')).toEqual(['net sum', 'net change']);
    expect(taken('net sales change on the quarter before').compare).toBe('quarter');
  });

  it('has shares and top rows of parents', () => {
    const definition = taken(
      'net sales, share of store by store and pos item, top 3 of each store without others',
    );
    expect(definition.measures[1]).toEqual({ field: 'net', rule: 'parent' });
    expect(definition.top).toEqual({ rows: 3, other: false, by: 'parent' });
    expect(refused('net sales by store and pos item, top 3 of each category')).toBe(
      'Not understood: «each category».',
    );
  });

  it('has ranges of all kinds', () => {
    const range = (text: string) => taken(`net sales, ${text}`).range;
    expect(range('last 4 weeks')).toEqual({ named: 'last-4-weeks' });
    expect(range('last 4 weeks with this week')).toEqual({ last: 4, unit: 'week', running: true });
    expect(range('past 30 days and today')).toEqual({ last: 30, unit: 'day', running: true });
    expect(range('last 2 quarters')).toEqual({ last: 2, unit: 'quarter', running: false });
    expect(range('2026-01-01 to 2026-03-31')).toEqual({ from: '2026-01-01', to: '2026-03-31' });
    expect(range('by store')).toEqual(start.range);
  });

  it('has limits and keeps chosen filters', () => {
    const chosen = { field: 'store', op: 'is' as const, values: ['a'], names: ['Makati'] };
    const comma = { field: 'item', op: 'contains' as const, values: ['Rice, fried'] };
    const old = { field: 'item', op: 'contains' as const, values: ['Tea'] };
    const current = { ...start, filters: [chosen, comma, old] };
    expect(taken('net sales by store, where net sales at least 1,000.50', current).filters).toEqual(
      [chosen, comma, { field: 'net', op: 'atLeast', values: ['1000.50'] }],
    );
    expect(taken('net sales, where pos item contains Rice bowl').filters).toEqual([
      { field: 'item', op: 'contains', values: ['Rice bowl'] },
    ]);
    expect(written(current, sales, datasets)).toBe(
      'Sales lines: net sales by store, last 4 weeks, where pos item contains Tea',
    );
  });

  it('guesses nothing', () => {
    expect(refused('sales by store')).toBe('Not understood: «sales» (Net sales or Gross sales?).');
    expect(refused('net sales by area')).toBe(
      'Not understood: «area» (Operational area or Regional area?).',
    );
    expect(refused('net sales by moon')).toBe('Not understood: «moon».');
    expect(refused('by store')).toContain('no figure');
    expect(refused('net sales, where net sales at least much')).toContain('where net sales');
    expect(taken('quantity by stores and items').rows).toEqual(['store', 'item']);
  });

  it('is written as it is read', () => {
    const figures = ['sum', 'avgPerDay', 'share', 'parent', 'change', 'running'] as const;
    const definitions: Definition[] = [
      start,
      {
        ...start,
        rows: ['store', 'item'],
        columns: ['month'],
        measures: figures.map((rule) => ({ field: 'net', rule })),
        compare: 'year',
        range: { last: 3, unit: 'month', running: true },
        filters: [
          { field: 'item', op: 'contains', values: ['Rice'] },
          { field: 'net', op: 'atMost', values: ['500'] },
        ],
        sort: { measure: 4, descending: false },
        top: { rows: 5, other: false, by: 'parent' },
        chart: 'lines',
      },
      {
        ...start,
        sort: { measure: 0, descending: true },
        range: { last: 2, unit: 'day', running: false },
      },
      { ...start, sort: { measure: null, descending: false }, chart: 'none' },
      {
        ...start,
        sort: { measure: null, descending: true },
        top: { rows: 9, other: true, by: 'all' },
      },
      { ...start, range: { from: '2026-01-01', to: '2026-01-31' }, chart: 'heat' },
      { ...begin(storeDays), rows: [], columns: ['week', 'store'] },
    ];
    for (const definition of definitions) {
      const of = definition.dataset === 'sales' ? sales : storeDays;
      const text = written(definition, of, datasets);
      expect(taken(text), text).toEqual(definition);
    }
    expect(written(definitions[1] ?? start, sales, datasets)).toBe(
      'Sales lines: net sales, net sales average a day, net sales share, net sales share of parent, ' +
        'net sales change, net sales running total by store and pos item across month, ' +
        'against the year before, last 3 months and this one, where pos item contains Rice, ' +
        'where net sales at most 500, sorted by figure 5 smallest first, ' +
        'top 5 of each store without others, as lines',
    );
  });
});
