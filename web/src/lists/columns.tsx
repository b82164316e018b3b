import type { Saved } from '#/form/useRecordForm';
import type { Column } from '#/table/types';
import { amount, DOT, day, inFull, moment } from '#/ui/format';
import { WebLink } from '#/ui/WebLink';
import { baseOf, type ListDef, type ListField, type NameOf } from './define';
import { UsesCell } from './uses/UsesCell';

/** The kinds of references a list shows. */
export function refKinds<T extends Saved>(def: ListDef<T>): string[] {
  const kinds = def.fields.flatMap((field) => (field.kind === 'ref' ? [field.of] : []));
  return [...new Set(kinds)];
}

/** The table's columns, from the fields of the form. */
export function columnsOf<T extends Saved>(
  def: ListDef<T>,
  nameOf: NameOf,
  own: readonly Column<T>[],
): Column<T>[] {
  const columns = def.fields
    .filter((field) => field.column !== false && !(def.tree && field.name === def.tree))
    .map((field) => columnOf(def, field, nameOf));
  columns.push(...own, usesColumn(def));
  columns.push({
    id: 'updatedAt',
    label: 'Last changed',
    value: (record) => record.updatedAt ?? null,
    cell: (record) => (def.heading?.(record) ? null : <Changed record={record} />),
    width: 240,
    muted: true,
    phone: 'none',
  });
  return columns;
}

/** Hidden by default: every visible row costs a request. */
function usesColumn<T extends Saved>(def: ListDef<T>): Column<T> {
  return {
    id: 'usedBy',
    label: 'Used by',
    value: () => null,
    cell: (record) =>
      def.heading?.(record) ? null : <UsesCell base={baseOf(def)} slug={def.slug} id={record.id} />,
    width: 110,
    align: 'right',
    hidden: true,
    sortable: false,
    phone: 'none',
  };
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
    // The server cannot sort by lines, which are in another table.
    sortable: !(def.remote && field.kind === 'table'),
  };
  const raw = (record: T) => record[field.name] as never;
  if (options.text) return { ...common, value: options.text };
  switch (field.kind) {
    case 'decimal':
    case 'integer':
      return { ...common, value: raw, number: inFull };
    case 'money':
      return { ...common, label: `${common.label} (₱)`, value: raw, number: amount };
    case 'date':
      return { ...common, value: raw, cell: (record) => day(raw(record)) };
    case 'ref':
      return { ...common, value: (record) => nameOf(field.of, raw(record)) };
    case 'web':
      return {
        ...common,
        value: raw,
        cell: (record) => <WebLink address={raw(record)} />,
      };
    case 'enum':
    case 'choice':
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
      {by && `${DOT}${by}`}
    </>
  );
}
