import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Field, FormValues, Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import type { PageKey, Permission } from '#/paths';
import type { Column } from '#/table/types';
import type { Uses } from './uses/api';

interface ColumnOptions<T> {
  width?: number;
  hidden?: boolean;
  muted?: boolean;
  phone?: 'sub' | 'end' | 'none';
  label?: string;
  /** Instead of the field's own text. */
  text?(record: T): string | number | null;
}

type Named<T> = Exclude<keyof T, number | symbol> & string;

/** A field of the form, and how it shows in the table; `column: false` keeps it out of the table. */
export type ListField<T> = Field<Named<T>> & { column?: false | ColumnOptions<T> };

export type NameOf = (kind: string, id: unknown) => string | null;

export interface AskProps<T> {
  record: T;
  changed: Wire;
  /** Goes on with what was chosen, added to what is sent; null goes back to the form. */
  answer(options: Wire | null): void;
}

/** Records that are left out unless asked for. */
export interface Hides<T> {
  param: string;
  usual: string;
  all: string;
  is(record: T): boolean;
  /** The field that hides one, and the verbs for it. */
  by?: { field: Named<T>; hidden: boolean; hide: string; show: string };
}

export interface ListDef<T extends Saved> {
  /** Its name in addresses, on the wire and in the cache. */
  slug: string;
  /** Where it is served, if not among the lists. */
  base?: string;
  page: PageKey;
  /** Who may change it; who may read it is said in `paths.ts`. */
  permission: Permission;
  title: string;
  one: string;
  many: string;
  icon: Icon;
  /** The field that names a record. */
  name: Named<T>;
  /** What a record is called where that field alone does not tell it from others. */
  label?(record: T, nameOf: NameOf): string;
  fields: readonly ListField<T>[];
  /** Sorted, filtered and loaded by the server, for lists that can pass a thousand rows. */
  remote?: boolean;
  /** The field that holds the parent's id: the list is then shown as a tree. */
  tree?: Named<T>;
  /** A new record below another, from that one's row: what it begins with. */
  subrecord?: { label: string; of(above: T): Wire };
  /** Siblings stand as people put them, not by name alone. */
  ordered?: true;
  hides?: Hides<T>;
  /** References that rows are narrowed by, above the table. */
  narrows?: readonly Named<T>[];
  /** A question that a certain change raises before it is saved. */
  ask?: { when(changed: Wire): boolean; dialog: ComponentType<AskProps<T>> };
  /** What the form shows beneath its fields, worked out from them while they are typed. */
  beneath?: ComponentType<{ values: FormValues }>;
  /** Fields that can't be changed because of what uses the record, each with the reason. */
  locks?(uses: Uses): Readonly<Record<string, string>> | null;
  /** Columns that come from elsewhere. */
  useColumns?(): readonly Column<T>[];
  /** Beside «New». */
  actions?: ComponentType;
  /** A page of its own instead of the drawer. */
  href?(id: string): string;
  /** Why two records can't become one; null where they can. */
  unmergeable?(record: T, other: T): string | null;
  /** What becomes of a record that was merged into another. */
  merged?: string;
  /** The rows shown: sums worked out, headings put above them. Not for remote lists. */
  shown?(records: readonly T[]): T[];
  /** A row that is no record. */
  heading?(row: T): boolean;
  /** What a row lies below, where that can be a heading. */
  below?(row: T): string | null;
  /** Where a row stands among its siblings, before their names decide. */
  position?(row: T): number;
  /** What siblings are sorted by instead of their name. */
  sortedBy?(row: T): string;
  /** Whether a record may lie below a row; null is the top. */
  fits?(record: T, under: T | null): boolean;
  /** What the filter looks through, where it is less than one would think. */
  placeholder?: string;
  empty: string;
  drawer?: number;
}

/** Declares a list; the field names are checked against the record's type. */
export function defineList<T extends Saved>(def: ListDef<T>): ListDef<T> {
  return def;
}

export const baseOf = (def: { slug: string; base?: string }) =>
  def.base ?? `/api/lists/${def.slug}`;
