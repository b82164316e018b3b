// Definitions of the report builder that answer a question.
import type { By, Question, Slot, Way } from './questionParts';

type Definition = Readonly<{
  dataset: string;
  measure: string;
  rows: readonly string[];
  columns?: readonly string[];
  /** By the figure; without it in the rows’ own order. */
  sorted?: 'most' | 'least' | undefined;
  top?: number | null | undefined;
  chart?: 'bars' | 'lines';
  /** The range of a question without days. */
  usual?: string;
  /** Besides those for what the question names. */
  filters?: readonly Filter[];
}>;

type Filter = Readonly<{
  field: string;
  op: 'is' | 'contains';
  values: readonly string[];
  names?: readonly string[];
}>;

/** The builder's fields for breakdowns; it has no others. */
const FIELDS: Partial<Record<By, string>> = {
  store: 'store',
  area: 'operationalArea',
  item: 'item',
  weekday: 'weekday',
  day: 'date',
  week: 'week',
  month: 'month',
};

const TIMES: readonly By[] = ['day', 'week', 'month', 'weekday'];
export const isTime = (by: By | null | undefined) => TIMES.includes(by as By);

/** Net sales of stores by day, week, month or weekday. */
const overTime = ({ by }: Question): Definition => ({
  dataset: 'storeDays',
  measure: 'net',
  rows: ['store'],
  columns: [FIELDS[by ?? 'month'] ?? 'month'],
  chart: 'lines',
});

/** The first items or stores of a ranking. */
const first = ({ by, rank }: Question): Definition => ({
  dataset: by === 'store' ? 'storeDays' : 'sales',
  measure: 'net',
  rows: [by === 'store' ? 'store' : 'item'],
  sorted: rank?.end === 'bottom' ? 'least' : 'most',
  top: rank?.count,
});

/** A discount, or all of them, by store or as asked. */
const discounts = ({ discount, by }: Question): Definition => ({
  dataset: discount ? 'receipts' : 'storeDays',
  measure: discount ?? 'discount',
  rows: [(by !== 'item' && FIELDS[by ?? 'store']) || 'store'],
  sorted: isTime(by) ? undefined : 'most',
});

/** Discounts that every Z-reading has, of readings that count: imported sales may lack receipts, and with them these. */
const READ: readonly Question['discount'][] = ['senior', 'pwd', 'naac', 'soloParent', 'valor'];
const discountsRead = (question: Question): Definition => ({
  ...discounts(question),
  dataset: 'readings',
  filters: [
    {
      field: 'state',
      op: 'is',
      values: ['verified', 'reconciled'],
      names: ['Verified', 'Reconciled'],
    },
  ],
});

/** The demand of items by day. */
const demand = (): Definition => ({
  dataset: 'forecasts',
  measure: 'forecast',
  rows: ['item'],
  columns: ['date'],
  chart: 'lines',
  usual: 'next-7-days',
});

function written({ days, stores, items }: Question, of: Definition, byItem: boolean): string {
  const ofStores: Filter = {
    field: 'store',
    op: 'is',
    values: stores.map(({ id }) => id),
    names: stores.map(({ name }) => name),
  };
  const ofItems: Filter = { field: 'item', op: 'contains', values: [items?.q ?? ''] };
  return JSON.stringify({
    dataset: of.dataset,
    range: !days
      ? { named: of.usual ?? 'last-4-weeks' }
      : days.named
        ? { named: days.named }
        : { from: days.from, to: days.to },
    rows: of.rows,
    columns: of.columns ?? [],
    measures: [{ field: of.measure, rule: 'sum' }],
    filters: [
      ...(stores.length > 0 ? [ofStores] : []),
      ...(byItem && items ? [ofItems] : []),
      ...(of.filters ?? []),
    ],
    sort: of.sorted ? { measure: 0, descending: of.sorted === 'most' } : null,
    top: of.top ? { rows: of.top, other: false } : null,
    chart: of.chart ?? 'bars',
  });
}

/** A way to the builder. */
const built = (
  uses: readonly Slot[],
  of: (question: Question) => Definition,
  more: Partial<Way> = {},
): Way => ({
  page: 'reportCustomNew',
  parts: [
    {
      uses: ['days', 'stores', ...uses],
      of: (asked) => ({ d: written(asked, of(asked), uses.includes('items')) }),
    },
  ],
  ...more,
});

export const buildOverTime = (more: Partial<Way>) => built(['by'], overTime, more);
export const buildFirst = (more: Partial<Way>) => built(['rank', 'by', 'items'], first, more);
export const buildDiscounts = built(['discount', 'by'], discounts);
export const buildDiscountsRead = built(['discount', 'by'], discountsRead, {
  when: [{ uses: 'discount', is: ({ discount }) => READ.includes(discount) }],
  needs: 'sales/zReading',
});
export const buildDemand = (more: Partial<Way>) =>
  built(['items'], demand, { ...more, needs: 'tools/services' });
