import type { ReactNode } from 'react';
import type { NumberKind } from '#/ui/numberInput';

/** How a cell is typed into. */
export interface Edit<Row> {
  kind: 'number' | 'text' | 'date';
  /** The unit of a number, which says how it is read: «1,250» is asked about in kilograms. */
  unit?(row: Row): string | null | undefined;
  /** Whether that comes whole; without it the unit's code decides. */
  whole?(row: Row): boolean | null | undefined;
  /** How a number is read, where its unit does not tell. */
  reads?(row: Row): NumberKind;
  /** What is saved. */
  value(row: Row): number | string | null;
  /** Whether this row's cell can be typed into. */
  can?(row: Row): boolean;
  /** What is wrong with a number; NaN is refused by the grid itself. */
  check?(value: number | null, row: Row): string | null;
  placeholder?(row: Row): string;
  /** A choice instead of free text. */
  options?(row: Row): readonly { value: string; label: string }[];
}

export interface GridColumn<Row> {
  id: string;
  label: string;
  /** In pixels; a column without one shares what is left. */
  width?: number;
  right?: boolean;
  /** The name of the row. */
  primary?: boolean;
  /** What is shown in a cell that is only read. */
  cell?(row: Row): ReactNode;
  edit?: Edit<Row>;
  /** What the foot says, made of the rows. */
  foot?(): ReactNode;
  /** On a phone: in the card's small line, beside the name, or not at all. */
  phone?: 'sub' | 'none';
}

/** A heading above rows. */
export interface GridGroup {
  id: string;
  label: string;
}
