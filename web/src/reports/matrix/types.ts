import type { ReactNode } from 'react';

/** A column of a matrix. */
export interface MatrixColumn<R> {
  /** What it is sorted by in the address. */
  id: string;
  label: string;
  /** A second line of the head. */
  sub?: string;
  title?: string;
  width: number;
  /** Takes a share of the room that is left, and may be left off the screen or moved to another sheet. */
  grow?: boolean;
  align?: 'left';
  value(row: R): number | string | null | undefined;
  format?(value: number): string;
  cell?(row: R): ReactNode;
  sortable?: false;
  foot?: string;
  /** Shows what the figure is made of; without a row, that of the foot. */
  onPick?(row: R | null): void;
}
