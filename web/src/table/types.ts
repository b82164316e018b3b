import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Problem } from '#/api/problem';

export type CellValue = string | number | boolean | null | undefined;

export interface Column<T> {
  /** The field's name: sorts on the server, and is what is remembered. */
  id: string;
  label: string;
  /** The value to sort and search by, and to show unless there is a `cell`. */
  value(row: T): CellValue;
  cell?(row: T): ReactNode;
  /** Formats a number; also right-aligns the column. */
  number?(value: number | null | undefined): string;
  align?: 'right';
  /** In pixels; columns without a width share the rest. */
  width?: number;
  /** The column with the row's name, which opens the record. */
  primary?: boolean;
  muted?: boolean;
  /** Not shown until chosen. */
  hidden?: boolean;
  sortable?: boolean;
  /** The content of the sum row. */
  total?: ReactNode;
  /** Its place in the two-line rows of a phone. */
  phone?: 'sub' | 'end' | 'none';
  /** The unit of the figure at the end of a phone's row, where units have no column. */
  unit?(row: T): string | null | undefined;
  title?: string;
}

/** A source of rows. A server source has holes for rows not loaded yet. */
export interface Source<T> {
  rows: readonly (T | undefined)[];
  total: number;
  /** Nothing has arrived yet. */
  pending: boolean;
  error: Problem | null;
  retry(): void;
  /** Sorting and filtering are done by the server. */
  remote: boolean;
  /** Called with the range in view, so that it can be loaded. */
  need?(first: number, last: number): void;
}

export interface RowAction<T> {
  label: string;
  icon?: Icon;
  danger?: boolean;
  shown?(row: T): boolean;
  run(row: T): void;
}

export interface BulkAction<T> {
  label: string;
  danger?: boolean;
  /** Whether it can be done with the selected rows; without it always. */
  shown?(rows: readonly T[]): boolean;
  run(rows: T[], clear: () => void): void;
}

export interface Sort {
  by: string;
  down: boolean;
}
