import { type RefObject, useEffect, useRef } from 'react';
import type { GridColumn } from './types';

interface Parts<Row> {
  rows: readonly Row[];
  rowId(row: Row): string;
  editable: readonly GridColumn<Row>[];
  /** What is wrong with cells, by `row/column`. */
  errors: ReadonlyMap<string, string> | undefined;
  focusCell(row: number, column: string): void;
  grid: RefObject<HTMLElement | null>;
}

/** The first wrong cell, in the order of the rows; null if none of the rows shown has one. */
export function firstWrong<Row>(
  { rows, rowId, editable }: Pick<Parts<Row>, 'rows' | 'rowId' | 'editable'>,
  errors: ReadonlyMap<string, string>,
): { row: number; column: string } | null {
  for (const [at, row] of rows.entries()) {
    const wrong = editable.find(({ id }) => errors.has(`${rowId(row)}/${id}`));
    if (wrong) return { row: at, column: wrong.id };
  }
  return null;
}

/** Takes the focus to the first wrong cell after a refusal, unless a field or a dialog has it. */
export function useRefusal<Row>(parts: Parts<Row>): void {
  const { errors } = parts;
  const now = useRef(parts);
  now.current = parts;
  const told = [...(errors ?? [])].join('\n');
  const before = useRef(told);
  useEffect(() => {
    if (before.current === told) return;
    before.current = told;
    const { errors: wrong, focusCell, grid } = now.current;
    const at = document.activeElement;
    const elsewhere = at?.closest('input, textarea, select, [aria-modal="true"]');
    if (!wrong?.size || (elsewhere && !grid.current?.contains(elsewhere))) return;
    const cell = firstWrong(now.current, wrong);
    if (cell) focusCell(cell.row, cell.column);
  }, [told]);
}
