import type { ReactNode } from 'react';

/** A column of a matrix. */
export interface MatrixColumn<R> {
  /** Its sort key in the address. */
  id: string;
  label: string;
  /** A second heading line. */
  sub?: string;
  title?: string;
  width: number;
  /** How narrow it may get so that no column has to be scrolled to. */
  least?: number;
  /** Shares the remaining width; may be scrolled out of view or moved to another sheet. */
  grow?: boolean;
  align?: 'left';
  value(row: R): number | string | null | undefined;
  format?(value: number): string;
  cell?(row: R): ReactNode;
  sortable?: false;
  foot?: string;
  /** Shows the parts of the figure; null for the footer. */
  onPick?(row: R | null): void;
  /** Shows the parts of a row's figure, where the footer has none. */
  onPickRow?(row: R): void;
}
