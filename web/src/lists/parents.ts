import type { Field, FormValues } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { asTree, type Tree } from '#/table/tree';
import type { ListDef } from './define';

/** The tree of a list whose records have parents. */
export function treeOf<T extends Saved>(def: ListDef<T>): Tree<T> | undefined {
  const key = def.tree;
  if (!key) return undefined;
  const stored = (row: T) => Number((row as { position?: number }).position ?? 0);
  return {
    id: ({ id }) => id,
    parent: def.below ?? ((row) => row[key] as string | null | undefined),
    name: def.sortedBy ?? ((row) => String(row[def.name])),
    position: def.position ?? (def.ordered && stored),
  };
}

/** The fields with their options: a record's parent can be any record that is not its descendant. */
export function fieldsFor<T extends Saved>(
  def: ListDef<T>,
  rows: readonly (T | undefined)[],
  record: T | null,
): readonly Field[] {
  const key = def.tree;
  const tree = treeOf(def);
  if (!tree || !key) return def.fields;
  const all = rows.filter((row) => row !== undefined && !def.heading?.(row)) as T[];
  const known = new Map(all.map((row) => [row.id, row]));
  const above = { ...tree, parent: (row: T) => row[key] as string | null | undefined };
  const { rows: ordered, branches } = asTree(all, above, new Set(record ? [record.id] : []));
  const options = ordered
    .filter(({ id }) => id !== record?.id)
    .map((row) => ({
      value: row.id,
      label: `${'\u2003'.repeat(branches.get(row.id)?.depth ?? 0)}${String(row[def.name])}`,
    }));
  const { fits } = def;
  const optionsFor =
    fits &&
    ((values: FormValues) =>
      options.filter(({ value }) =>
        fits({ ...record, ...values } as unknown as T, known.get(value) ?? null),
      ));
  return def.fields.map((field) =>
    field.kind === 'parent' ? { ...field, options, optionsFor } : field,
  );
}
