import type { ReactNode } from 'react';
import type { NumberKind } from '#/ui/numberInput';

/** How a cell is edited. */
export interface Edit<Row> {
  kind: 'number' | 'text' | 'date';
  /** A number's unit, which decides how it is parsed: «1,250» in kilograms is ambiguous. */
  unit?(row: Row): string | null | undefined;
  /** Whether quantities are whole numbers; by default the unit's code decides. */
  whole?(row: Row): boolean | null | undefined;
  /** How a number is parsed, if its unit does not decide. */
  reads?(row: Row): NumberKind;
  /** The saved value. */
  value(row: Row): number | string | null;
  /** Whether this row's cell is editable. */
  can?(row: Row): boolean;
  /** The error in a number; the grid itself refuses NaN. */
  check?(value: number | null, row: Row): string | null;
  placeholder?(row: Row): string;
  /** A choice instead of free text. */
  options?(row: Row): readonly { value: string; label: string }[];
}

export interface GridColumn<Row> {
  id: string;
  label: string;
  /** In pixels; columns without a width share the rest. */
  width?: number;
  right?: boolean;
  /** The name of the row. */
  primary?: boolean;
  /** The content of a read-only cell. */
  cell?(row: Row): ReactNode;
  edit?: Edit<Row>;
  /** The footer, computed from the rows. */
  foot?(): ReactNode;
  /** On a phone: in the card's small line, a button beside the name, or hidden. */
  phone?: 'sub' | 'tool' | 'none';
}

/** A heading above rows. */
export interface GridGroup {
  id: string;
  label: string;
}
