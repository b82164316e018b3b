import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Field, Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import type { PageKey, Permission } from '#/paths';

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

export interface AskProps<T> {
  record: T;
  changed: Wire;
  /** Goes on with what was chosen, added to what is sent; null goes back to the form. */
  answer(options: Wire | null): void;
}

export interface ListDef<T extends Saved> {
  /** Its name in addresses, on the wire and in the cache. */
  slug: string;
  page: PageKey;
  /** Who may change it; who may read it is said in `paths.ts`. */
  permission: Permission;
  title: string;
  one: string;
  many: string;
  icon: Icon;
  /** The field that names a record. */
  name: Named<T>;
  fields: readonly ListField<T>[];
  /** Sorted, filtered and loaded by the server, for lists that can pass a thousand rows. */
  remote?: boolean;
  /** The field that holds the parent's id: the list is then shown as a tree. */
  tree?: Named<T>;
  /** Records that are left out unless asked for. */
  hides?: { param: string; usual: string; all: string; is(record: T): boolean };
  /** A question that a certain change raises before it is saved. */
  ask?: { when(changed: Wire): boolean; dialog: ComponentType<AskProps<T>> };
  empty: string;
  drawer?: number;
}

/** Declares a list; the field names are checked against the record's type. */
export function defineList<T extends Saved>(def: ListDef<T>): ListDef<T> {
  return def;
}
