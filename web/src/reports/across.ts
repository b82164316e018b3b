// Items as rows, days, weeks or stores as columns: a matrix with its sums.
import type { Cell } from '#/ui/cell';
import type { Range } from '#/ui/dates';
import { sum } from '#/ui/sums';
import type { ReportRow } from './found';
import type { MatrixColumn } from './matrix/types';
import { columnSums } from './numbers';
import type { ReportState } from './question/useReport';
import { figureWidth } from './width';

/** A row with a figure per column. */
export interface AcrossRow extends ReportRow {
  values: readonly (number | null)[];
  total: number | null;
}

/** A day, a week or a store. */
export interface AcrossPoint {
  key: string;
  /** The column's heading. */
  label: string;
  sub?: string;
  title: string;
  /** The cell its figures come from. */
  cell: Omit<Cell, 'itemId'>;
}

interface Across<R> {
  points: readonly AcrossPoint[];
  /** The range behind all columns together. */
  whole: Range | null;
  write(value: number): string;
  /** The footer, if it is not the sum of the shown figures. */
  foot?: { values: readonly (number | null)[]; total: number | null };
  /** The minimum column width. */
  least: number;
  /** Columns before the figures: on every screen, and on desktops only. */
  before?: readonly MatrixColumn<R>[];
  atDesk?: readonly MatrixColumn<R>[];
}

/** The column sums of the shown rows. */
export function sumsOf(rows: readonly AcrossRow[], columns: number) {
  const values = columnSums(
    rows.map((row) => row.values),
    columns,
  );
  return { values, total: sum(values) };
}

/** The input of the columns. */
interface Placed<R> {
  state: Pick<ReportState, 'phone' | 'openCell'>;
  all: readonly R[];
  /** The rows to sum. */
  added: readonly R[];
}

/** The columns: on a phone the sums come first, on a desktop they stay at the right. */
export function across<R extends AcrossRow>(
  { state, all, added }: Placed<R>,
  said: Across<R>,
): { columns: MatrixColumn<R>[]; total: MatrixColumn<R> | null } {
  const { points, whole, write, before = [], atDesk = [] } = said;
  const foot = said.foot ?? sumsOf(added, points.length);
  const written = (value: number | null | undefined) => (value == null ? undefined : write(value));
  const figures = [...all.flatMap(({ values }) => values), ...foot.values].filter(
    (value) => value !== null,
  );
  const sums = [...all.map((row) => row.total), foot.total].filter((value) => value !== null);
  const width = figureWidth(figures, write, said.least);
  const total: MatrixColumn<R> = {
    id: 'total',
    label: 'Total',
    width: figureWidth(sums, write, 84) + 8,
    value: (row) => row.total,
    format: write,
    foot: written(foot.total),
    onPick: (row) => {
      if (whole) state.openCell({ ...whole, storeId: null, itemId: row?.id ?? null });
    },
  };
  const grown = points.map(
    ({ key, label, sub, title, cell }, at): MatrixColumn<R> => ({
      id: key,
      label,
      sub,
      title,
      width,
      grow: true,
      value: (row) => row.values[at],
      format: write,
      foot: written(foot.values[at]),
      onPick: (row) => state.openCell({ ...cell, itemId: row?.id ?? null }),
    }),
  );
  return state.phone
    ? { columns: [total, ...before, ...grown], total: null }
    : { columns: [...before, ...atDesk, ...grown], total };
}
