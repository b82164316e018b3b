import type { Saved } from '#/form/useRecordForm';
import { siblings } from '#/table/tree';
import type { TreePosition } from './api';
import type { ListDef } from './define';
import { treeOf } from './parents';

/** The tree of the records alone, without headings above them. */
function ownTree<T extends Saved>(def: ListDef<T>) {
  const tree = treeOf(def);
  const parent = (row: T) => (row[def.tree as keyof T] ?? null) as string | null;
  return tree && { ...tree, parent };
}

/** The records with one moved, and its new siblings renumbered. */
export function withMoved<T extends Saved>(
  def: ListDef<T>,
  records: readonly T[],
  id: string,
  { parentId, before }: TreePosition,
): T[] {
  const own = ownTree(def);
  const moved = records.find((record) => record.id === id);
  if (!own || !moved) return [...records];
  const list = (siblings(records, own).get(parentId) ?? []).filter((row) => row.id !== id);
  const at = before === null ? -1 : list.findIndex((row) => row.id === before);
  list.splice(at < 0 ? list.length : at, 0, moved);
  const position = new Map(list.map((row, i) => [row.id, i + 1]));
  return records.map((record) => {
    const parent = record.id === id ? { [def.tree as string]: parentId } : {};
    const stands =
      def.ordered && position.has(record.id) ? { position: position.get(record.id) } : {};
    return { ...record, ...parent, ...stands };
  });
}

/** The current position of a record. */
export function positionOf<T extends Saved>(
  def: ListDef<T>,
  records: readonly T[],
  id: string,
): TreePosition {
  const own = ownTree(def);
  const parentId = own?.parent(records.find((row) => row.id === id) as T) ?? null;
  const list = (own && siblings(records, own).get(parentId)) ?? [];
  return { parentId, before: list[list.findIndex((row) => row.id === id) + 1]?.id ?? null };
}
