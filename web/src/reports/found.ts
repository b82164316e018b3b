import { useMemo } from 'react';
import type { Chosen } from './choices';
import { matchingNames } from './filter';
import type { MatrixColumn } from './matrix/types';
import type { ReportState } from './question/useReport';
import { chosenUnit, type UnitGroup, unitKey, unitsOf } from './units';

/** A row of a report. */
export interface ReportRow {
  id: string;
  name: string;
  /** Its type, category or place: the filter searches it too. */
  kind: string | null;
  /** The unit of its quantities. */
  unit?: string | null;
}

/** The rows of an answer, filtered. */
export interface Found<A, R, C = Chosen> {
  state: ReportState;
  answer: A;
  chosen: C;
  all: readonly R[];
  found: readonly R[];
  /** Whether the filter hides some. */
  filtered: boolean;
  units: readonly UnitGroup[];
  group: UnitGroup | null;
  unit: string | null;
  /** The filtered rows in the summed unit. */
  added: readonly R[];
}

/** The same in table order. */
export interface Shown<A, R, C = Chosen> extends Found<A, R, C> {
  rows: readonly R[];
  /** The figure columns. */
  columns: readonly MatrixColumn<R>[];
}

/** The rows that pass the filter; null without an answer. */
export function useFound<A, R extends ReportRow, C extends Chosen>(
  state: ReportState,
  chosen: C,
  answer: A | undefined,
  rowsOf: (answer: A, chosen: C) => readonly R[],
): Found<A, R, C> | null {
  const all = useMemo(
    () => (answer === undefined ? [] : rowsOf(answer, chosen)),
    [answer, chosen, rowsOf],
  );
  const found = useMemo(() => matchingNames(all, state.q), [all, state.q]);
  const units = useMemo(() => unitsOf(found), [found]);
  // Compared rows share an axis, and so a unit: that of the first.
  const first = state.focus[0];
  const led = first ? found.find(({ id }) => id === first) : undefined;
  const group = chosenUnit(units, led ? unitKey(led.unit ?? null) : state.get('unit'));
  const unit = group?.unit ?? null;
  const added = useMemo(
    () => (units.length > 1 ? found.filter((row) => (row.unit ?? null) === unit) : found),
    [units, found, unit],
  );
  return useMemo(
    () =>
      answer === undefined
        ? null
        : {
            state,
            answer,
            chosen,
            all,
            found,
            filtered: found.length < all.length,
            units,
            group,
            unit,
            added,
          },
    [state, answer, chosen, all, found, units, group, unit, added],
  );
}
