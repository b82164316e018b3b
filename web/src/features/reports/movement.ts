// What the root item movement reports share: rows, columns, sums and labels.
import type { components } from '#/api/schema.gen';
import { column } from '#/reports/columns';
import type { Shown } from '#/reports/found';
import type { MatrixColumn } from '#/reports/matrix/types';
import type { ReportState } from '#/reports/question/useReport';
import { writeCell } from '#/ui/cell';
import { count, plural, qty, signedAmount } from '#/ui/format';
import { sum } from '#/ui/sums';
import { netOf, type VarianceValues } from './variance';

type Schemas = components['schemas'];
export type MovementFigures = Schemas['MovementFigures'];
export type UnitMovement = Schemas['UnitMovement'];
export type MovementRow = Schemas['MovementRow'] & { id: string; kind: string };

export type FigureKey = keyof MovementFigures;

interface Figure {
  key: FigureKey;
  label: string;
  /** The same as a column heading, in two lines. */
  head?: readonly [string, string];
  /** Its definition as a sentence. */
  words: string;
  /** Whether rows of one unit can be added up. */
  adds: boolean;
}

/** The figures in the order in which they add up. */
export const FIGURES: readonly Figure[] = [
  { key: 'opening', label: 'Opening', words: 'Stock before the first day', adds: false },
  {
    key: 'received',
    label: 'Received',
    words: 'What suppliers and kitchens brought, and corrections',
    adds: true,
  },
  {
    key: 'transfersIn',
    label: 'Transfers in',
    head: ['Transfers', 'in'],
    words: 'What came from other stores',
    adds: true,
  },
  {
    key: 'transfersOut',
    label: 'Transfers out',
    head: ['Transfers', 'out'],
    words: 'What went to other stores',
    adds: true,
  },
  { key: 'waste', label: 'Waste', words: 'What was thrown away', adds: true },
  {
    key: 'theoreticalUse',
    label: 'Theoretical use',
    head: ['Theoretical', 'use'],
    words: 'What sales used by the bills of materials',
    adds: true,
  },
  {
    key: 'actualUse',
    label: 'Actual use',
    head: ['Actual', 'use'],
    words: 'Usage that the counts imply',
    adds: true,
  },
  { key: 'closing', label: 'Closing', words: 'Stock after the last day', adds: false },
  {
    key: 'variance',
    label: 'Variance',
    words: 'Theoretical less actual use: below zero, something is missing',
    adds: true,
  },
];

const WIDTHS: Readonly<Record<FigureKey, number>> = {
  opening: 76,
  received: 84,
  transfersIn: 76,
  transfersOut: 76,
  waste: 70,
  theoreticalUse: 102,
  actualUse: 98,
  closing: 76,
  variance: 96,
};

export const figureOf = (key: string): Figure | undefined =>
  FIGURES.find((figure) => figure.key === key);

/** A report's row: one of a store, a root item and its days. */
export const rowOf = (row: Schemas['MovementRow']): MovementRow => ({
  ...row,
  id: `${row.storeId} ${row.rootItemId} ${row.from}`,
  kind: row.storeName,
});

/** Opens the parts of a row's figure. */
export function openFigure(state: ReportState, row: MovementRow, figure: FigureKey): void {
  const { from, to, storeId, rootItemId } = row;
  state.set({ cell: writeCell({ from, to, storeId, itemId: rootItemId }), figure }, true);
}

interface Answer {
  units: readonly UnitMovement[];
  value: VarianceValues;
  total: number;
}

/**
 * A column's total: of all rows in the summed unit, or of the filtered ones. Undefined for what
 * does not add up, null where no row has the figure.
 */
export function footOf<C>(shown: FootAsked<C>, key: FigureKey): number | null | undefined {
  const { answer, added, filtered, unit } = shown;
  if (!figureOf(key)?.adds) return undefined;
  if (filtered) {
    const known = added.some((row) => row[key] != null);
    return known ? sum(added.map((row) => row[key])) : null;
  }
  const all = answer.units.find((one) => (one.unit ?? null) === unit);
  return all?.[key as keyof Omit<UnitMovement, 'unit' | 'items'>] ?? null;
}

type FootAsked<C> = Pick<
  Shown<Answer, MovementRow, C>,
  'answer' | 'added' | 'filtered' | 'unit' | 'units' | 'state'
>;

/** The value of the variances of the rows that the footer covers: those of one unit. Null without any. */
export function varianceOf<C>(shown: FootAsked<C>): number | null {
  const { answer, added, filtered, unit, units } = shown;
  if (filtered) return netOf(added);
  if (units.length < 2) return answer.value.net ?? null;
  return answer.units.find((one) => (one.unit ?? null) === unit)?.varianceValue ?? null;
}

/** The figure columns; the variance's value stays at the right, on a phone it comes first. */
export function columnsOf<C>(
  shown: FootAsked<C>,
  days: readonly MatrixColumn<MovementRow>[],
): { columns: MatrixColumn<MovementRow>[]; total: MatrixColumn<MovementRow> | null } {
  const { state } = shown;
  const value = column.signedAmount<MovementRow>(
    'varianceValue',
    'Variance (₱)',
    120,
    (row) => row.varianceValue,
    {
      foot: signedAmount(varianceOf(shown)),
      onPick: (row) => row && openFigure(state, row, 'variance'),
    },
  );
  const figures = FIGURES.map(({ key, label, head, words }) => {
    const foot = footOf(shown, key);
    const rest = {
      sub: head?.[1],
      title: words,
      foot: foot === undefined ? undefined : qty(foot),
      onPick: (row: MovementRow | null) => row && openFigure(state, row, key),
    };
    const make = key === 'variance' ? column.signed : column.qty;
    return make<MovementRow>(key, head?.[0] ?? label, WIDTHS[key], (row) => row[key], rest);
  });
  const before = [...days, column.text<MovementRow>('uom', 'Unit', 50, (row) => row.unit ?? '')];
  // Beside every name already; here it sorts the rows.
  const store = column.text<MovementRow>('store', 'Store', 132, (row) => row.storeName);
  return state.phone
    ? {
        columns: [value, ...figures.slice(-1), ...before, ...figures.slice(0, -1), store],
        total: null,
      }
    : { columns: [...before, ...figures, store], total: value };
}

/** Rows whose actual use is unknown. */
export const unknownIn = (rows: readonly MovementRow[]): number =>
  rows.filter(({ actualUse }) => actualUse == null).length;

/** What the footer's sums cover. */
export function footSays<C>(shown: Shown<Answer, MovementRow, C>): string {
  const { answer, units, group, filtered, added } = shown;
  const within = units.length > 1 && group ? ` in ${group.unit ?? 'no unit'}` : '';
  if (filtered) return `Total of ${count(added.length)} shown${within}`;
  const all = answer.units.find((one) => (one.unit ?? null) === shown.unit);
  const many = units.length > 1 && all ? all.items : answer.total;
  const cut = answer.total > shown.all.length ? `, the first ${count(added.length)} shown` : '';
  return `Total of ${plural(many, 'row')}${within}${cut}`;
}
