// Items down, days, weeks or stores across: the columns of a matrix and the sums at its foot.
import type { Cell } from '#/ui/cell';
import type { Range } from '#/ui/dates';
import { sum } from '#/ui/sums';
import type { ReportRow } from './found';
import type { MatrixColumn } from './matrix/types';
import { columnSums } from './numbers';
import type { ReportState } from './question/useReport';
import { figureWidth } from './width';

/** A row with a figure for each column. */
export interface AcrossRow extends ReportRow {
  values: readonly (number | null)[];
  total: number | null;
}

/** A day, a week or a store. */
export interface AcrossPoint {
  key: string;
  /** At the head of its column. */
  label: string;
  sub?: string;
  title: string;
  /** What its figures are made of. */
  cell: Omit<Cell, 'itemId'>;
}

interface Across<R> {
  points: readonly AcrossPoint[];
  /** What all columns together are made of. */
  whole: Range | null;
  write(value: number): string;
  /** The foot, where it is not what the shown figures add up to. */
  foot?: { values: readonly (number | null)[]; total: number | null };
  /** The least width of a column. */
  least: number;
  /** Columns before the figures, on every screen and at a desk. */
  before?: readonly MatrixColumn<R>[];
  atDesk?: readonly MatrixColumn<R>[];
}

/** What the columns of the shown rows add up to. */
export function sumsOf(rows: readonly AcrossRow[], columns: number) {
  const values = columnSums(
    rows.map((row) => row.values),
    columns,
  );
  return { values, total: sum(values) };
}

/** What the columns are made from. */
interface Placed<R> {
  state: Pick<ReportState, 'phone' | 'openCell'>;
  all: readonly R[];
  /** What is added up. */
  added: readonly R[];
}

/** The columns: on a phone the sums come first, at a desk they stay at the right. */
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
