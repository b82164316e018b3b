import { notifyManager, type QueryKey } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import type { Saved } from '#/form/useRecordForm';
import { lastingError } from '#/ui/toast';
import type { ListApi, TreePosition } from './api';
import type { ListDef } from './define';
import { positionOf, withMoved } from './move';
import { capitalize } from './useDelete';
import type { UndoStep } from './useUndo';

interface Move {
  id: string;
  place: TreePosition;
}

/** How a move is announced and undone. */
interface Then<T> {
  label(record: T): string;
  changed(): void;
  offer(step: UndoStep): void;
}

export interface Moves<T> {
  /** Moves without a response yet; a new array whenever one starts or ends. */
  underway: readonly Move[];
  /** Moves a record optimistically; it is rolled back with a message when refused. */
  move(record: T, place: TreePosition, then: Then<T>): void;
  /** Resolves when every move has its response. */
  settled(): Promise<void>;
}

/** The records with all pending moves applied. */
export function moved<T extends Saved>(
  def: ListDef<T>,
  records: readonly T[],
  moves: readonly Move[],
): readonly T[] {
  return moves.reduce((rows, { id, place }) => withMoved(def, rows, id, place), records);
}

/**
 * Moves records of a list, one request after the other, since each needs the revision of the one before.
 * Pending moves are applied to whatever is read meanwhile; those behind a refusal are dropped.
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
    (record: T, place: TreePosition, { label, changed, offer }: Then<T>) => {
      const queue = line.current;
      const kept = key.current;
      const records = () => queries.getQueryData<readonly T[]>(kept) ?? [];
      const one: Move = { id: record.id, place };
      const was = positionOf(def, moved(def, records(), queue.moves), record.id);
      const refusals = queue.refused;
      const put = ({ id, revision }: Saved, there: TreePosition) =>
        // Without an order of siblings only the parent changes.
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
            message: `${capitalize(label(record))} moved`,
            records: [saved],
            back: () => put({ id, revision }, was),
          });
          await queries.cancelQueries({ queryKey: kept, exact: true });
        } catch (error) {
          queue.refused += 1;
          lastingError(Problem.of(error).message);
        } finally {
          const stands = (row: T) => (row.id === saved?.id ? { ...row, ...saved } : row);
          // Update both at once, or the record would flash at its old position.
          notifyManager.batch(() => {
            if (saved) {
              queries.setQueryData<readonly T[]>(
                kept,
                (now) => now && withMoved(def, now, record.id, place).map(stands),
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
