import type { QueryKey } from '@tanstack/react-query';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import type { Saved } from '#/form/useRecordForm';
import { siblings } from '#/table/tree';
import { failed } from '#/ui/toast';
import type { ListApi, Place } from './api';
import type { ListDef } from './define';
import { treeOf } from './parents';
import { sentence } from './useDelete';
import type { Step } from './useUndo';

/** The records with one of them put elsewhere, and its new siblings numbered as they then stand. */
export function placed<T extends Saved>(
  def: ListDef<T>,
  records: readonly T[],
  id: string,
  { parentId, before }: Place,
): T[] {
  const tree = treeOf(def);
  const moved = records.find((record) => record.id === id);
  if (!tree || !moved || !def.tree) return [...records];
  const own = { ...tree, parent: (row: T) => row[def.tree as keyof T] as string | null };
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

interface Options<T extends Saved> {
  def: ListDef<T>;
  api: ListApi<T>;
  /** Where the table's records are cached. */
  cache: QueryKey;
  label(record: T): string;
  changed(): void;
  offer(step: Step): void;
}

/** Moves a record of a tree: it is seen at once, and goes back with a message when that is refused. */
export async function move<T extends Saved>(
  { def, api, cache, label, changed, offer }: Options<T>,
  record: T,
  place: Place,
): Promise<void> {
  await queries.cancelQueries({ queryKey: cache, exact: true });
  const old = queries.getQueryData<T[]>(cache);
  if (old) queries.setQueryData(cache, placed(def, old, record.id, place));
  try {
    const current = old?.find(({ id }) => id === record.id) ?? record;
    // Where siblings have no order of their own, only what lies above changes.
    const saved = def.ordered
      ? await api.move(record.id, current.revision, place)
      : await api.update(record.id, current.revision, { [def.tree as string]: place.parentId });
    offer({
      message: `${sentence(label(record))} moved`,
      records: [{ id: saved.id, revision: saved.revision }],
    });
  } catch (error) {
    if (old) queries.setQueryData(cache, old);
    failed(Problem.of(error).message, 4000);
  } finally {
    changed();
  }
}
