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

/** The tree of the records alone, without headings above them. */
function ownTree<T extends Saved>(def: ListDef<T>) {
  const tree = treeOf(def);
  const parent = (row: T) => (row[def.tree as keyof T] ?? null) as string | null;
  return tree && { ...tree, parent };
}

/** The records with one of them put elsewhere, and its new siblings numbered as they then stand. */
export function placed<T extends Saved>(
  def: ListDef<T>,
  records: readonly T[],
  id: string,
  { parentId, before }: Place,
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

/** Where a record stands now. */
export function placeOf<T extends Saved>(
  def: ListDef<T>,
  records: readonly T[],
  id: string,
): Place {
  const own = ownTree(def);
  const parentId = own?.parent(records.find((row) => row.id === id) as T) ?? null;
  const list = (own && siblings(records, own).get(parentId)) ?? [];
  return { parentId, before: list[list.findIndex((row) => row.id === id) + 1]?.id ?? null };
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

/** The moves of a list that are under way. */
export interface Underway {
  /** When the newest of them has its answer. */
  last: Promise<void>;
  waiting: number;
  /** How many were refused: what waited behind one of them is given up. */
  refused: number;
}

export const noneUnderway = (): Underway => ({ last: Promise.resolve(), waiting: 0, refused: 0 });

/**
 * Moves a record of a tree: it is seen at once, and goes back with a message when that is refused.
 * The next move may come before the answer: it waits for it, since it needs the new revision.
 */
export async function move<T extends Saved>(
  options: Options<T>,
  underway: Underway,
  record: T,
  place: Place,
): Promise<void> {
  const { def, api, cache, label, changed, offer } = options;
  const refusals = underway.refused;
  underway.waiting += 1;
  await queries.cancelQueries({ queryKey: cache, exact: true });
  const old = queries.getQueryData<T[]>(cache) ?? [];
  const was = placeOf(def, old, record.id);
  queries.setQueryData(cache, placed(def, old, record.id, place));
  const put = ({ id, revision }: Saved, there: Place) =>
    // Where siblings have no order of their own, only what lies above changes.
    def.ordered
      ? api.move(id, revision, there)
      : api.update(id, revision, { [def.tree as string]: there.parentId });

  async function send(): Promise<void> {
    try {
      if (underway.refused > refusals) return;
      const rows = queries.getQueryData<T[]>(cache) ?? [];
      const { id, revision } = await put(rows.find((row) => row.id === record.id) ?? record, place);
      queries.setQueryData<T[]>(cache, (now) =>
        now?.map((row) => (row.id === id ? { ...row, revision } : row)),
      );
      offer({
        message: `${sentence(label(record))} moved`,
        records: [{ id, revision }],
        back: () => put({ id, revision }, was),
      });
    } catch (error) {
      underway.refused += 1;
      queries.setQueryData(cache, old);
      failed(Problem.of(error).message, 4000);
    } finally {
      underway.waiting -= 1;
      // What is read anew while another waits would show it where it was.
      if (underway.waiting === 0) changed();
    }
  }
  underway.last = underway.last.then(send);
  await underway.last;
}
