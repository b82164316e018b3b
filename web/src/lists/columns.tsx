import type { Saved } from '#/form/useRecordForm';
import type { Column } from '#/table/types';
import { amount, day, moment, qty } from '#/ui/format';
import type { ListDef, ListField } from './define';

type NameOf = (kind: string, id: unknown) => string | null;

/** The kinds of references a list shows. */
export function refKinds<T extends Saved>(def: ListDef<T>): string[] {
  const kinds = def.fields.flatMap((field) =>
    field.kind === 'ref' && field.column !== false ? [field.of] : [],
  );
  return [...new Set(kinds)];
}

/** The table's columns, from the fields of the form. */
export function columnsOf<T extends Saved>(def: ListDef<T>, nameOf: NameOf): Column<T>[] {
  const columns = def.fields
    .filter((field) => field.column !== false && !(def.tree && field.name === def.tree))
    .map((field) => columnOf(def, field, nameOf));
  columns.push({
    id: 'updatedAt',
    label: 'Last changed',
    value: (record) => record.updatedAt ?? null,
    cell: (record) => <Changed record={record} />,
    width: 240,
    muted: true,
    phone: 'none',
  });
  return columns;
}

function columnOf<T extends Saved>(
  def: ListDef<T>,
  field: ListField<T>,
  nameOf: NameOf,
): Column<T> {
  const options = field.column || {};
  const common = {
    id: field.name,
    label: options.label ?? field.label,
    width: options.width,
    hidden: options.hidden,
    muted: options.muted,
    phone: options.phone,
    primary: field.name === def.name,
  };
  const raw = (record: T) => record[field.name] as never;
  if (options.text) return { ...common, value: options.text };
  switch (field.kind) {
    case 'decimal':
    case 'integer':
      return { ...common, value: raw, number: qty };
    case 'money':
      return { ...common, label: `${common.label} (₱)`, value: raw, number: amount };
    case 'date':
      return { ...common, value: raw, cell: (record) => day(raw(record)) };
    case 'ref':
      return { ...common, value: (record) => nameOf(field.of, raw(record)) };
    case 'enum':
      return {
        ...common,
        value: (record) =>
          field.options.find(({ value }) => value === raw(record))?.label ?? raw(record),
      };
    default:
      return { ...common, value: raw };
  }
}

function Changed<T extends Saved>({ record }: { record: T }) {
  const by = record.updatedBy?.name;
  return (
    <>
      {moment(record.updatedAt)}
      {by && ` · ${by}`}
    </>
  );
}
