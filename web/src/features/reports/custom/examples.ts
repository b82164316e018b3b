// Example reports to start from.
import type { Definition } from './types';

export interface Example {
  name: string;
  question: string;
  definition: Definition;
}

const base: Omit<Definition, 'dataset' | 'measures'> = {
  range: { named: 'last-4-weeks' },
  rows: [],
  columns: [],
  compare: 'range',
  filters: [],
  sort: null,
  top: null,
  chart: 'bars',
};

export const examples: readonly Example[] = [
  {
    name: 'Sales by store and weekday',
    question: 'On which days does each store sell most?',
    definition: {
      ...base,
      dataset: 'sales',
      range: { named: 'last-13-weeks' },
      rows: ['store'],
      columns: ['weekday'],
      measures: [{ field: 'net', rule: 'avgPerDay' }],
      chart: 'heat',
    },
  },
  {
    name: 'Top 20 items against the period before',
    question: 'What sells best, and is it growing?',
    definition: {
      ...base,
      dataset: 'sales',
      rows: ['item'],
      measures: [
        { field: 'net', rule: 'sum' },
        { field: 'net', rule: 'share' },
        { field: 'net', rule: 'change' },
      ],
      sort: { measure: 0, descending: true },
      top: { rows: 20, other: true, by: 'all' },
    },
  },
  {
    name: 'Sales by month against the month before',
    question: 'Which stores grow, month by month?',
    definition: {
      ...base,
      dataset: 'sales',
      range: { last: 6, unit: 'month', running: true },
      rows: ['store'],
      columns: ['month'],
      measures: [
        { field: 'net', rule: 'sum' },
        { field: 'net', rule: 'change' },
      ],
      compare: 'month',
    },
  },
  {
    name: 'Sales this month so far',
    question: 'How does each store’s month add up?',
    definition: {
      ...base,
      dataset: 'sales',
      range: { named: 'this-month' },
      rows: ['store'],
      columns: ['date'],
      measures: [{ field: 'net', rule: 'running' }],
      chart: 'lines',
    },
  },
  {
    name: 'Average ticket by store and month',
    question: 'Do customers spend more or less than before?',
    definition: {
      ...base,
      dataset: 'storeDays',
      range: { named: 'last-12-months' },
      rows: ['store'],
      columns: ['month'],
      measures: [{ field: 'averageTicket', rule: 'sum' }],
      chart: 'lines',
    },
  },
  {
    name: 'Waste by reason',
    question: 'Why is food thrown away, and what does it cost?',
    definition: {
      ...base,
      dataset: 'waste',
      range: { named: 'this-month' },
      rows: ['reason'],
      columns: ['store'],
      measures: [{ field: 'value', rule: 'sum' }],
    },
  },
  {
    name: 'How customers pay',
    question: 'Which share has each tender, week by week?',
    definition: {
      ...base,
      dataset: 'tenders',
      range: { named: 'last-13-weeks' },
      rows: ['kind'],
      columns: ['week'],
      measures: [{ field: 'amount', rule: 'share' }],
      chart: 'lines',
    },
  },
  {
    name: 'From the till to the bank',
    question: 'How much of each tender was declared, deposited and settled?',
    definition: {
      ...base,
      dataset: 'tenders',
      rows: ['store', 'tender'],
      measures: [
        { field: 'z', rule: 'sum' },
        { field: 'declared', rule: 'sum' },
        { field: 'deposited', rule: 'sum' },
        { field: 'settled', rule: 'sum' },
        { field: 'variance', rule: 'sum' },
        { field: 'missing', rule: 'sum' },
      ],
      sort: { measure: 5, descending: true },
    },
  },
  {
    name: 'Orders that were not filled',
    question: 'Which products do stores order and not get?',
    definition: {
      ...base,
      dataset: 'orders',
      rows: ['item'],
      measures: [
        { field: 'fillRate', rule: 'sum' },
        { field: 'lines', rule: 'sum' },
        { field: 'full', rule: 'sum' },
      ],
      sort: { measure: 0, descending: false },
      top: { rows: 25, other: false, by: 'all' },
    },
  },
  {
    name: 'Differences at receiving',
    question: 'Where is what came not what was expected?',
    definition: {
      ...base,
      dataset: 'received',
      rows: ['store'],
      columns: ['reason'],
      measures: [{ field: 'lines', rule: 'sum' }],
      chart: 'heat',
    },
  },
  {
    name: 'Discounts by law',
    question: 'How much do senior, PWD and other discounts take, as the Z-readings say?',
    definition: {
      ...base,
      // Imported sales may lack receipts, and with them these discounts.
      dataset: 'readings',
      rows: ['store'],
      filters: [
        {
          field: 'state',
          op: 'is',
          values: ['verified', 'reconciled'],
          names: ['Verified', 'Reconciled'],
        },
      ],
      measures: [
        { field: 'senior', rule: 'sum' },
        { field: 'pwd', rule: 'sum' },
        { field: 'soloParent', rule: 'sum' },
        { field: 'otherDiscount', rule: 'sum' },
        { field: 'net', rule: 'sum' },
      ],
    },
  },
];
