import { notifyManager, type QueryKey } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import type { Saved } from '#/form/useRecordForm';
import { trouble } from '#/ui/toast';
import type { ListApi, Place } from './api';
import type { ListDef } from './define';
import { placed, placeOf } from './move';
import { sentence } from './useDelete';
import type { Step } from './useUndo';

interface Move {
  id: string;
  place: Place;
}

/** What a move leads to. */
interface Then<T> {
  label(record: T): string;
  changed(): void;
  offer(step: Step): void;
}

export interface Moves<T> {
  /** Those that have no answer yet; another list whenever one begins or ends. */
  underway: readonly Move[];
  /** Moves a record of a tree: it is seen at once, and goes back with a message when that is refused. */
  move(record: T, place: Place, then: Then<T>): void;
  /** Ends when every move has its answer. */
  settled(): Promise<void>;
}

/** The records as they stand once all moves are answered. */
export function moved<T extends Saved>(
  def: ListDef<T>,
  records: readonly T[],
  moves: readonly Move[],
): readonly T[] {
  return moves.reduce((rows, { id, place }) => placed(def, rows, id, place), records);
}

/**
 * The moves of a list. The next may come before the answer: it waits for it, since it needs the new
 * revision, and is laid over whatever is read meanwhile. What waits behind a refusal is given up.
 */
export function useMoves<T extends Saved>(
  def: ListDef<T>,
  api: ListApi<T>,
  cache: QueryKey,
): Moves<T> {
  const [underway, show] = useState<readonly Move[]>([]);
  const line = useRef({ moves: underway, last: Promise.resolve(), waiting: 0, refused: 0 });
  const key = useRef(cache);
  key.current = cache;

  const move = useCallback(
    (record: T, place: Place, { label, changed, offer }: Then<T>) => {
      const queue = line.current;
      const kept = key.current;
      const records = () => queries.getQueryData<readonly T[]>(kept) ?? [];
      const one: Move = { id: record.id, place };
      const was = placeOf(def, moved(def, records(), queue.moves), record.id);
      const refusals = queue.refused;
      const put = ({ id, revision }: Saved, there: Place) =>
        // Where siblings have no order of their own, only what lies above changes.
        def.ordered
          ? api.move(id, revision, there)
          : api.update(id, revision, { [def.tree as string]: there.parentId });
      const set = (moves: readonly Move[]) => {
        queue.moves = moves;
        show(moves);
      };

      async function send(): Promise<void> {
        let saved: Saved | undefined;
        try {
          if (queue.refused > refusals) return;
          const { id, revision } = await put(
            records().find((row) => row.id === record.id) ?? record,
            place,
          );
          saved = { id, revision };
          offer({
            message: `${sentence(label(record))} moved`,
            records: [saved],
            back: () => put({ id, revision }, was),
          });
          await queries.cancelQueries({ queryKey: kept, exact: true });
        } catch (error) {
          queue.refused += 1;
          trouble(Problem.of(error).message);
        } finally {
          const stands = (row: T) => (row.id === saved?.id ? { ...row, ...saved } : row);
          // Both at once, or the record would be seen where it was in between.
          notifyManager.batch(() => {
            if (saved) {
              queries.setQueryData<readonly T[]>(
                kept,
                (now) => now && placed(def, now, record.id, place).map(stands),
              );
            }
            notifyManager.schedule(() => set(queue.moves.filter((other) => other !== one)));
          });
          queue.waiting -= 1;
          if (queue.waiting === 0) changed();
        }
      }

      queue.waiting += 1;
      set([...queue.moves, one]);
      queue.last = queue.last.then(send);
    },
    [def, api],
  );
  const settled = useCallback(() => line.current.last, []);
  return { underway, move, settled };
}
