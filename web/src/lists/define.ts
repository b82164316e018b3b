import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Field, FormValues, Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import type { PageKey, Permission } from '#/paths';
import { kindOfSlug, recordKinds } from '#/records';
import type { Column } from '#/table/types';
import { kindIcon } from '#/ui/kindIcons';
import type { Uses } from './uses/api';

interface ColumnOptions<T> {
  width?: number;
  hidden?: boolean;
  muted?: boolean;
  phone?: 'sub' | 'end' | 'none';
  label?: string;
  /** Replaces the field's own text. */
  text?(record: T): string | number | null;
}

type Named<T> = Exclude<keyof T, number | symbol> & string;

/** A field of the form, and how it shows in the table; `column: false` keeps it out of the table. */
export type ListField<T> = Field<Named<T>> & { column?: false | ColumnOptions<T> };

export type NameOf = (kind: string, id: unknown) => string | null;

export interface AskProps<T> {
  record: T;
  changed: Wire;
  /** Continues with extra fields for the request; null returns to the form. */
  answer(options: Wire | null): void;
}

export interface ViewProps<T> {
  record: T;
  readOnly: boolean;
}

/** Records that are hidden by default. */
export interface HiddenRecords<T> {
  param: string;
  usual: string;
  all: string;
  is(record: T): boolean;
  /** The field that hides a record, and the labels of the actions. */
  by?: { field: Named<T>; hidden: boolean; hide: string; show: string };
}

export interface ListDef<T extends Saved> {
  /** Its name in addresses, requests and query keys. */
  slug: string;
  /** Its path at the server, if not below `/api/lists`. */
  base?: string;
  page: PageKey;
  /** The permission to change it; that to read it is in `paths.ts`. */
  permission: Permission;
  title: string;
  one: string;
  many: string;
  icon: Icon;
  /** The field that names a record. */
  name: Named<T>;
  /** The label of a record, where `named` alone is not unique. */
  label?(record: T, nameOf: NameOf): string;
  fields: readonly ListField<T>[];
  /** Sorted, filtered and loaded by the server, for lists that can pass a thousand rows. */
  remote?: boolean;
  /** The field that holds the parent's id: the list is then shown as a tree. */
  tree?: Named<T>;
  /** The initial values of a new record below another. */
  subrecord?: { label: string; of(above: T): Wire };
  /** Siblings have an order of their own instead of that by name. */
  ordered?: true;
  hides?: HiddenRecords<T>;
  /** Reference fields with a filter above the table. */
  narrows?: readonly Named<T>[];
  /** A question to ask before certain changes are saved. */
  ask?: { when(changed: Wire): boolean; dialog: ComponentType<AskProps<T>> };
  /** Shown below the form's fields, computed from their values. */
  beneath?: ComponentType<{ values: FormValues }>;
  /** A further tab of the drawer. */
  view?: { value: string; label: string; content: ComponentType<ViewProps<T>> };
  /** Fields that can't be changed because of what uses the record, each with the reason. */
  locks?(uses: Uses): Readonly<Record<string, string>> | null;
  /** Further columns, from other requests. */
  useColumns?(): readonly Column<T>[];
  /** Buttons beside «New». */
  actions?: ComponentType;
  /** A page of its own instead of the drawer. */
  href?(id: string): string;
  /** Why two records can't be merged; null if they can. */
  unmergeable?(record: T, other: T): string | null;
  /** What happens to the record that was merged into another. */
  merged?: string;
  /** A record's fields as the server takes them, to compare when merging; by default those of its form. */
  compares?(record: T): Wire;
  /** Whether what uses a record moves with it when it is merged; by default everything does. */
  moves?(use: { kind: string }): boolean;
  /** Fields that identify one record, which several cannot share. */
  identify?: readonly Named<T>[];
  /** Transforms the records into rows, such as with sums and headings. Not for remote lists. */
  shown?(records: readonly T[]): T[];
  /** Whether a row is a heading instead of a record. */
  heading?(row: T): boolean;
  /** A row's parent, if that can be a heading. */
  below?(row: T): string | null;
  /** A row's position among its siblings; equal ones are sorted by name. */
  position?(row: T): number;
  /** The text siblings are sorted by, instead of the name. */
  sortedBy?(row: T): string;
  /** Whether a record may be moved below a row; null is the top level. */
  fits?(record: T, under: T | null): boolean;
  /** The placeholder of the filter, if it does not search all columns. */
  placeholder?: string;
  empty: string;
  drawer?: number;
}

/** What the server's registry of kinds knows of a list, by its slug. */
type Known = 'page' | 'title' | 'one' | 'many' | 'icon';
type Declared<T extends Saved> = Omit<ListDef<T>, Known> & Partial<Pick<ListDef<T>, Known>>;

/** Declares a list; field names are checked against the record's type. It overrides what its kind sets. */
export function defineList<T extends Saved>(def: Declared<T>): ListDef<T> {
  const kind = kindOfSlug(def.slug);
  const known = kind ? recordKinds[kind] : undefined;
  const icon = kindIcon(kind ?? def.slug);
  if (!known) return { icon, ...def } as ListDef<T>;
  const { page, one, many } = known;
  return { page, one, title: many, many: inSentence(many), icon, ...def };
}

/** A title inside a sentence: «units of measure», but «POS items». */
const inSentence = (title: string) =>
  /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);

export const baseOf = (def: { slug: string; base?: string }) =>
  def.base ?? `/api/lists/${def.slug}`;
