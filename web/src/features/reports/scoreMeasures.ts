import type { components } from '#/api/schema.gen';
import { amount, MISSING, money, percent, plural, short } from '#/ui/format';

type Schemas = components['schemas'];
export type Figures = Schemas['ScoreFigures'];
export type MeasureId = keyof Figures & string;

export interface Measure {
  id: MeasureId;
  label: string;
  sub?: string;
  /** Inside a sentence and on an axis. */
  name: string;
  write(value: number): string;
  full(value: number): string;
  onAxis(value: number): string;
  /** Which direction is better. */
  better: 'more' | 'less';
}

const pesos = { write: amount, full: money, onAxis: short };
const share = {
  write: (value: number) => percent(value),
  full: (value: number) => percent(value),
  onAxis: (value: number) => percent(value, 0),
};
const small = { ...share, onAxis: (value: number) => percent(value) };

/** What every average ticket is of. */
export const TICKET =
  'A ticket is a receipt with at least one item sold and not voided; its sales are without returns.';

/** The measures that rank stores. */
export const MEASURES: readonly Measure[] = [
  { id: 'perM2', label: 'Net ₱', sub: 'a m²', name: 'Net sales a m²', better: 'more', ...pesos },
  {
    id: 'perSeat',
    label: 'Net ₱',
    sub: 'a seat',
    name: 'Net sales a seat',
    better: 'more',
    ...pesos,
  },
  { id: 'ticket', label: 'Ticket ₱', name: 'Average ticket', better: 'more', ...pesos },
  {
    id: 'countCompliance',
    label: 'Counts',
    sub: 'in time',
    name: 'Counts in time',
    better: 'more',
    ...share,
  },
  { id: 'fillRate', label: 'Fill rate', name: 'Fill rate', better: 'more', ...share },
  {
    id: 'forecastError',
    label: 'Forecast',
    sub: 'error',
    name: 'Forecast error',
    better: 'less',
    ...share,
  },
  {
    id: 'wasteShare',
    label: 'Waste',
    sub: 'of net sales',
    name: 'Waste',
    better: 'less',
    ...small,
  },
  { id: 'variance', label: 'Variance ₱', name: 'Variance', better: 'more', ...pesos },
];

interface Told {
  /** The median of the stores. */
  value: string;
  notes: (string | null)[];
  median: number | null;
  /** The known figures of the stores, in no order. */
  stores: number[];
}

/** A measure of the stores in words: their median, the figure of all together, the best and the last store. */
export function toldOf(
  { id, full, better }: Measure,
  { items, medians, total }: Pick<Schemas['Scorecard'], 'items' | 'medians' | 'total'>,
): Told {
  const median = medians.find(({ of }) => of === 'all')?.[id] ?? null;
  const all = total[id];
  const known = items
    .flatMap((row) => (row[id] == null ? [] : [{ name: row.name, value: row[id] }]))
    .sort((a, b) => (better === 'more' ? b.value - a.value : a.value - b.value));
  const [best, last] = [known[0], known.at(-1)];
  const missing = items.length - known.length;
  return {
    value: median === null ? MISSING : full(median),
    notes: [
      median === null && known.length > 0 ? 'Known of too few stores for a median' : null,
      all == null ? null : `All stores: ${full(all)}`,
      best ? `Best: ${best.name}, ${full(best.value)}` : null,
      last && known.length > 1 ? `Last: ${last.name}, ${full(last.value)}` : null,
      missing > 0 ? `Not known of ${plural(missing, 'store')}` : null,
    ],
    median,
    stores: known.map(({ value }) => value),
  };
}

export const measureOf = (id: string): Measure | undefined => MEASURES.find((one) => one.id === id);
