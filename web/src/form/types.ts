import type { ReactNode } from 'react';
import type { NumberKind } from '#/ui/numberInput';

interface Base<Name extends string> {
  name: Name;
  label: string;
  hint?: string;
  required?: boolean;
  /** Whether to show it, depending on the other fields. */
  requiredWhen?(values: FormValues): boolean;
  /** Spans both columns. */
  wide?: boolean;
  /** Starts a group under this heading; following fields belong to it. */
  section?: string;
  /** Why it is read-only. */
  locked?: string;
}

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SubColumn {
  name: string;
  label: string;
  kind: 'text' | 'decimal' | 'ref';
  /** How a decimal is parsed; by default as a quantity of any unit. */
  reads?: NumberKind;
  /** The kind of record it refers to. */
  of?: string;
  width?: number | string;
}

export type Field<Name extends string = string> =
  | (Base<Name> & {
      kind: 'text' | 'long';
      max?: number;
      suggest?: readonly string[];
      initial?: string;
      /** How a text is written once the field is left, and saved. */
      tidy?(typed: string): string;
    })
  | (Base<Name> & {
      kind: 'decimal' | 'money' | 'integer';
      unit?: string;
      /** How it is parsed, if kind and unit do not decide. */
      reads?: NumberKind;
      min?: number;
      /** Allows negative numbers. */
      signed?: boolean;
      /** The value saved for an empty field. */
      blank?: number;
      /** Summed when records are merged, as on the server. */
      added?: true;
    })
  /** An email address or a URL, shown as a link. */
  | (Base<Name> & { kind: 'email' | 'web'; max?: number })
  /** `initial` of a new record may depend on other fields, until the user sets it. */
  | (Base<Name> & { kind: 'boolean'; initial?: boolean | ((values: FormValues) => boolean) })
  | (Base<Name> & { kind: 'date' })
  | (Base<Name> & {
      kind: 'enum';
      options: readonly Option[];
      /** The options for the current values of other fields; `options` then holds all. */
      optionsFor?(values: FormValues): readonly Option[];
      initial?: string;
    })
  /** A few choices, all visible. */
  | (Base<Name> & { kind: 'choice'; options: readonly Option[]; initial?: string })
  | (Base<Name> & { kind: 'ref'; of: string })
  /** Several records by name; no records is null on the wire. `none` says what that means. */
  | (Base<Name> & { kind: 'refs'; of: string; none: string })
  | (Base<Name> & {
      kind: 'parent';
      options: readonly Option[];
      optionsFor?(values: FormValues): readonly Option[];
    })
  | (Base<Name> & {
      kind: 'table';
      columns: readonly SubColumn[];
      addLabel: string;
      empty?: ReactNode;
    });

export type SubRow = Record<string, string | null>;
export type FormValue = string | boolean | null | SubRow[];
export type FormValues = Record<string, FormValue>;
export type Wire = Record<string, unknown>;
