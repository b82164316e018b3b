// Sum rows inside a matrix, each below the rows that it adds up.
import type { MatrixColumn } from './types';

/** The sum of some rows, as a row below them. */
export interface MatrixFoot<R> {
  id: string;
  label: string;
  /** The number of rows above it. */
  after: number;
  /** The columns of the matrix, in its order, with the sums of these rows as their feet. */
  columns: readonly MatrixColumn<R>[];
  total: MatrixColumn<R> | null;
}

/** A row of the table: one of the report, or a sum. */
export type MatrixLine<R> = { row: R; foot: null } | { row: null; foot: MatrixFoot<R> };

/** The rows with each sum below its own. */
export function linesOf<R>(
  rows: readonly R[],
  feet: readonly MatrixFoot<R>[],
): readonly MatrixLine<R>[] {
  const lines = rows.map((row): MatrixLine<R> => ({ row, foot: null }));
  // From the end, so that earlier places stay.
  for (const foot of feet.toReversed()) lines.splice(foot.after, 0, { row: null, foot });
  return lines;
}
