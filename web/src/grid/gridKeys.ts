// Keys and paste in an entry grid.
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { readsAs, savedText } from './EntryCell';
import { type GridModel, placePaste, readPaste } from './model';
import type { Edit, GridColumn } from './types';

/** How many rows Page Up and Page Down move by. */
const PAGE = 12;

/** What keys and paste work on. */
export interface GridParts<Row> {
  rows: readonly Row[];
  rowId(row: Row): string;
  /** The columns that can be typed into. */
  editable: readonly GridColumn<Row>[];
  model: GridModel;
  focusCell(row: number, column: string): void;
  onSave: (() => void) | undefined;
}

const canType = <Row>(column: GridColumn<Row> | undefined, row: Row): boolean =>
  column?.edit?.can?.(row) ?? true;

/** The next row in a direction whose cell of this column can be typed into. */
function nextRow<Row>(
  rows: readonly Row[],
  from: number,
  step: number,
  column: GridColumn<Row>,
): number | null {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (row !== undefined && canType(column, row)) return at;
  }
  return null;
}

/**
 * Arrows and Enter move. Escape takes back what is being typed; the next one leaves the cell for the grid. Ctrl with Z,
 * Y, S and D undoes, redoes, saves and fills down.
 */
export function pressKey<Row>(event: KeyboardEvent<HTMLDivElement>, parts: GridParts<Row>): void {
  const { rows, rowId, editable, model } = parts;
  const target = event.target as HTMLInputElement;
  if (pressCommand(event, parts)) {
    event.preventDefault();
    return;
  }
  const command = event.ctrlKey || event.metaKey;
  const at = Number(target.dataset.row);
  const column = editable.find(({ id }) => id === target.dataset.column);
  if (!column || Number.isNaN(at) || target.tagName === 'SELECT') return;
  const row = rows[at];
  if (row === undefined) return;
  if (command && event.key.toLowerCase() === 'd') {
    event.preventDefault();
    fillFromAbove(at, column, parts);
    return;
  }
  if (event.key === 'Escape') {
    event.preventDefault();
    event.stopPropagation();
    if (target.dataset.editing === 'true') {
      model.cancel(rowId(row), column.id);
      target.dataset.editing = 'false';
    } else {
      event.currentTarget.focus();
    }
    return;
  }
  if (event.key === 'F2') {
    event.preventDefault();
    target.dataset.editing = 'true';
    target.setSelectionRange(target.value.length, target.value.length);
    return;
  }
  const goal = goalOf(event, at, column, parts);
  if (goal || event.key === 'Enter') event.preventDefault();
  if (goal) parts.focusCell(goal.row, goal.column);
}

/** Undo, redo and save, wherever the focus is in the grid; false for other keys. */
function pressCommand<Row>(
  event: KeyboardEvent<HTMLDivElement>,
  { rows, rowId, model, focusCell, onSave }: GridParts<Row>,
): boolean {
  if (!event.ctrlKey && !event.metaKey) return false;
  if (event.key.toLowerCase() === 'z' && !event.altKey) {
    const [first] = (event.shiftKey ? model.redo() : model.undo()) ?? [];
    if (first)
      focusCell(
        rows.findIndex((row) => rowId(row) === first.row),
        first.column,
      );
    return true;
  }
  if (event.key.toLowerCase() === 'y') {
    model.redo();
    return true;
  }
  if (event.key === 's' || event.key === 'Enter') {
    onSave?.();
    return true;
  }
  return false;
}

function fillFromAbove<Row>(at: number, column: GridColumn<Row>, parts: GridParts<Row>): void {
  const { rows, rowId, model } = parts;
  const above = nextRow(rows, at, -1, column);
  const [source, row] = [above === null ? undefined : rows[above], rows[at]];
  if (source === undefined || row === undefined) return;
  const edit = column.edit as Edit<unknown>;
  const text = model.text(rowId(source), column.id) ?? savedText(edit, source);
  const as = readsAs(edit, row);
  model.set([{ row: rowId(row), column: column.id, text, ...(as && { as }) }]);
  model.commit();
}

/** The cell that a key moves to; null for other keys, and at the end of the grid. */
function goalOf<Row>(
  event: KeyboardEvent<HTMLDivElement>,
  at: number,
  column: GridColumn<Row>,
  { rows, editable }: GridParts<Row>,
): { row: number; column: string } | null {
  const target = event.target as HTMLInputElement;
  const command = event.ctrlKey || event.metaKey;
  const down = (row: number | null) => (row === null ? null : { row, column: column.id });
  const sideways = (step: number) => {
    // The caret moves inside the text that is being edited.
    if (target.dataset.editing === 'true') return null;
    const other = editable[editable.indexOf(column) + step];
    return other ? { row: at, column: other.id } : null;
  };
  switch (event.key) {
    case 'Enter':
      return down(nextRow(rows, at, event.shiftKey ? -1 : 1, column));
    case 'ArrowDown':
      return down(nextRow(rows, at, 1, column));
    case 'ArrowUp':
      return down(nextRow(rows, at, -1, column));
    case 'ArrowRight':
      return sideways(1);
    case 'ArrowLeft':
      return sideways(-1);
    case 'PageDown':
      return down(Math.min(rows.length - 1, at + PAGE));
    case 'PageUp':
      return down(Math.max(0, at - PAGE));
    case 'Home':
      return command ? down(nextRow(rows, -1, 1, column)) : null;
    case 'End':
      return command ? down(nextRow(rows, rows.length, -1, column)) : null;
    default:
      return null;
  }
}

/** Writes the pasted cells into every row from the focused one on that can be typed into. */
export function paste<Row>(
  event: ClipboardEvent<HTMLDivElement>,
  { rows, rowId, editable, model }: GridParts<Row>,
): void {
  const target = event.target as HTMLInputElement;
  const cells = readPaste(event.clipboardData.getData('text/plain'));
  const at = Number(target.dataset.row);
  const column = editable.findIndex(({ id }) => id === target.dataset.column);
  if (column < 0 || Number.isNaN(at) || (cells.length === 1 && cells[0]?.length === 1)) return;
  event.preventDefault();
  const open = rows.slice(at).filter((row) => canType(editable[column], row));
  const byId = new Map(open.map((row) => [rowId(row), row]));
  const entries = placePaste(
    cells,
    open.map(rowId),
    editable.map(({ id }) => id),
    { row: 0, column },
    (id, name) => {
      const into = byId.get(id);
      const edit = editable.find((one) => one.id === name)?.edit;
      return into && edit ? readsAs(edit as Edit<unknown>, into) : undefined;
    },
  );
  model.commit();
  model.set(entries);
  model.commit();
}
