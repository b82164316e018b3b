// The state of an entry grid without its screen: texts by cell, undo, paste and fill.
import { type NumberKind, numberOf, shownTyped } from '#/ui/numberInput';

/** A change of one cell: its text before and after; undefined means «as saved». */
interface Change {
  row: string;
  column: string;
  before: string | undefined;
  after: string | undefined;
}

/** A text for a cell. */
export interface Entry {
  row: string;
  column: string;
  text: string;
  /** How it is parsed, if it is a typed number. */
  as?: NumberKind;
}

type Listener = () => void;

/** Undo steps kept; older ones are dropped. */
const MOST_STEPS = 200;

/**
 * Holds unsaved input. Rows are subscribed to one by one, so that a keystroke renders one row;
 * `onAny` is for sums and buttons.
 */
export class GridModel {
  private readonly texts = new Map<string, Map<string, string>>();
  /** How numbers are parsed, by row and column. */
  private readonly kinds = new Map<string, NumberKind>();
  private readonly ofRow = new Map<string, Set<Listener>>();
  private readonly ofAny = new Set<Listener>();
  private past: Change[][] = [];
  private future: Change[][] = [];
  private versions = new Map<string, number>();
  private changes = 0;

  /** What was typed into a cell; undefined if nothing was. */
  text(row: string, column: string): string | undefined {
    return this.texts.get(row)?.get(column);
  }

  /** A cell's number: as typed, else as saved; null if empty, NaN if invalid. */
  number(row: string, column: string, saved: number | null): number | null {
    const typed = this.text(row, column);
    return typed === undefined ? saved : readNumber(typed, this.kindOf(row, column));
  }

  /** How a cell's typed number is parsed; the strictest kind for unknown units. */
  kindOf(row: string, column: string): NumberKind {
    return this.kinds.get(cellKey(row, column)) ?? 'divisible';
  }

  /** Whether anything was typed. */
  get dirty(): boolean {
    return this.texts.size > 0;
  }

  /** The rows with typed cells. */
  rows(): string[] {
    return [...this.texts.keys()];
  }

  /** Sets cells as one undo step. */
  set(entries: readonly Entry[]): void {
    const step: Change[] = [];
    for (const { row, column, text, as } of entries) {
      if (as) this.kinds.set(cellKey(row, column), as);
      const before = this.text(row, column);
      if (before !== text) step.push({ row, column, before, after: text });
    }
    if (step.length === 0) return;
    const last = this.past.at(-1);
    const [only] = step;
    // Keystrokes in one cell are one step.
    if (
      only &&
      step.length === 1 &&
      last?.length === 1 &&
      last[0]?.row === only.row &&
      last[0].column === only.column &&
      this.future.length === 0
    ) {
      last[0] = { ...last[0], after: only.after };
    } else {
      this.past = [...this.past.slice(1 - MOST_STEPS), step];
    }
    this.future = [];
    this.put(step, 'after');
  }

  /** Ends the undo step of the cell being edited. */
  commit(): void {
    if (this.past.at(-1)?.length) this.past = [...this.past.filter((step) => step.length > 0), []];
  }

  /** Takes back what was typed into a cell since it was entered; what was typed before stays. */
  cancel(row: string, column: string): void {
    const step = this.past.at(-1);
    const [only] = step ?? [];
    if (step?.length !== 1 || only?.row !== row || only.column !== column) return;
    this.past = [...this.past.slice(0, -1), []];
    this.future = [];
    this.put(step, 'before');
  }

  /** Resets a cell. */
  restore(row: string, column: string): void {
    const before = this.text(row, column);
    if (before === undefined) return;
    const step = [{ row, column, before, after: undefined }];
    this.past = [...this.past, step, []];
    this.future = [];
    this.put(step, 'after');
  }

  /** Undoes the last step; returns the cells it changed. */
  undo(): readonly Change[] | null {
    this.past = this.past.filter((step) => step.length > 0);
    const step = this.past.pop();
    if (!step) return null;
    this.future.push(step);
    // Escape must not take back the step before it as well.
    this.past.push([]);
    this.put(step, 'before');
    return step;
  }

  redo(): readonly Change[] | null {
    const step = this.future.pop();
    if (!step) return null;
    this.past = [...this.past.filter((one) => one.length > 0), step, []];
    this.put(step, 'after');
    return step;
  }

  /** Resets all cells, after saving or discarding. */
  clear(): void {
    const rows = [...this.texts.keys()];
    this.texts.clear();
    this.past = [];
    this.future = [];
    this.tell(rows);
  }

  /**
   * Call when sending. The returned function resets what was sent, once it is saved; what was typed meanwhile stays.
   */
  sending(): () => void {
    const sent = new Map([...this.texts].map(([row, cells]) => [row, new Map(cells)]));
    return () => {
      const rows: string[] = [];
      for (const [row, cells] of sent) {
        const now = this.texts.get(row);
        if (!now) continue;
        for (const [column, text] of cells) if (now.get(column) === text) now.delete(column);
        if (now.size === 0) this.texts.delete(row);
        rows.push(row);
      }
      this.past = [];
      this.future = [];
      this.tell(rows);
    };
  }

  onRow(row: string, listener: Listener): () => void {
    const listeners = this.ofRow.get(row) ?? new Set();
    this.ofRow.set(row, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  onAny(listener: Listener): () => void {
    this.ofAny.add(listener);
    return () => void this.ofAny.delete(listener);
  }

  /** Changes with each change of the row. */
  version(row: string): number {
    return this.versions.get(row) ?? 0;
  }

  /** Changes with each change. */
  get stamp(): number {
    return this.changes;
  }

  private put(step: readonly Change[], which: 'before' | 'after'): void {
    for (const change of step) {
      const text = change[which];
      const cells = this.texts.get(change.row) ?? new Map<string, string>();
      if (text === undefined) cells.delete(change.column);
      else cells.set(change.column, text);
      if (cells.size > 0) this.texts.set(change.row, cells);
      else this.texts.delete(change.row);
    }
    this.tell(step.map(({ row }) => row));
  }

  private tell(rows: readonly string[]): void {
    this.changes += 1;
    for (const row of new Set(rows)) {
      this.versions.set(row, this.version(row) + 1);
      for (const listener of this.ofRow.get(row) ?? []) listener();
    }
    for (const listener of this.ofAny) listener();
  }
}

/** The number of a cell's text: null if empty, NaN if invalid. */
export function readNumber(text: string, as: NumberKind): number | null {
  if (text.trim() === '') return null;
  return numberOf(text, as) ?? Number.NaN;
}

const cellKey = (row: string, column: string) => `${row}\n${column}`;

/** The cells of text copied from a spreadsheet. */
export function readPaste(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  return lines.map((line) => line.split('\t').map((cell) => cell.trim()));
}

/** Maps pasted cells down the rows and across the columns from a cell; those outside the grid are dropped. */
export function placePaste(
  cells: readonly (readonly string[])[],
  rows: readonly string[],
  columns: readonly string[],
  at: { row: number; column: number },
  kindOf: (row: string, column: string) => NumberKind | undefined = () => undefined,
): Entry[] {
  const entries: Entry[] = [];
  cells.forEach((line, down) => {
    line.forEach((text, across) => {
      const row = rows[at.row + down];
      const column = columns[at.column + across];
      if (row === undefined || column === undefined) return;
      const as = kindOf(row, column);
      entries.push(as ? { row, column, text: shownTyped(text, as), as } : { row, column, text });
    });
  });
  return entries;
}
