// Quantities add up within one unit only: the rows of each unit stand together, with their own sum below them.
import { writeCell } from '#/ui/cell';
import { isPesos, isQuantity, MISSING } from '#/ui/format';
import type { Found, ReportRow } from './found';
import type { MatrixFoot } from './matrix/feet';
import type { MatrixColumn } from './matrix/types';
import { type UnitGroup, unitKey } from './units';

/** The columns of some found rows, and the one fixed at the right. */
export interface Columns<R> {
  columns: readonly MatrixColumn<R>[];
  total?: MatrixColumn<R> | null;
}

/** Whether a report adds up quantities of several units. */
export function addsByUnit<R>(
  units: readonly UnitGroup[],
  { columns, total }: Columns<R>,
): boolean {
  const all = total ? [...columns, total] : columns;
  return units.length > 1 && all.some(({ format, foot }) => isQuantity(format) && foot != null);
}

/** The rows in their order, those of one unit together. */
export function groupedByUnit<R extends ReportRow>(
  rows: readonly R[],
  units: readonly UnitGroup[],
): readonly R[] {
  return units.flatMap(({ unit }) => rows.filter((row) => (row.unit ?? null) === unit));
}

/** The same rows, of which those of one unit are added up. A sum that is opened is that of this unit. */
export function inGroup<F extends Found<unknown, ReportRow, unknown>>(
  found: F,
  group: UnitGroup | null,
): F {
  const { state } = found;
  const unit = group?.unit ?? null;
  return {
    ...found,
    state: {
      ...state,
      openCell: (cell) => state.set({ cell: writeCell(cell), unit: unitKey(unit) }, true),
    },
    group,
    unit,
    added: found.found.filter((row) => (row.unit ?? null) === unit),
  };
}

/** The sum row of each unit. */
export function feetOf<A, R extends ReportRow, C>(
  found: Found<A, R, C>,
  columnsOf: (found: Found<A, R, C>) => Columns<R>,
  labelOf: (found: Found<A, R, C>) => string,
): MatrixFoot<R>[] {
  let after = 0;
  return found.units.map((group) => {
    const part = inGroup(found, group);
    const { columns, total = null } = columnsOf(part);
    after += part.added.length;
    return { id: unitKey(group.unit), label: labelOf(part), after, columns, total };
  });
}

/**
 * The columns with the sums of all units as their feet: pesos are added up, everything else has a
 * dash. Null if no column is in pesos.
 */
export function acrossUnits<A, R extends ReportRow, C>(
  found: Found<A, R, C>,
  columnsOf: (found: Found<A, R, C>) => Columns<R>,
  { columns, total = null }: Columns<R>,
): { columns: MatrixColumn<R>[]; total: MatrixColumn<R> | null } | null {
  const whole = columnsOf({ ...found, units: [], group: null, unit: null, added: found.found });
  const sums = new Map(
    [...whole.columns, ...(whole.total ? [whole.total] : [])]
      .filter(({ format, foot }) => isPesos(format) && foot != null)
      .map(({ id, foot }) => [id, foot]),
  );
  if (sums.size === 0) return null;
  const summed = (column: MatrixColumn<R>): MatrixColumn<R> => ({
    ...column,
    foot: sums.get(column.id) ?? (column.foot == null ? undefined : MISSING),
    onPick: column.onPick && ((row) => (row || sums.has(column.id)) && column.onPick?.(row)),
  });
  return { columns: columns.map(summed), total: total && summed(total) };
}
