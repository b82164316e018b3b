import { useCallback, useEffect, useState } from 'react';
import { Problem } from '#/api/problem';
import type { Saved } from '#/form/useRecordForm';
import { isTyping, overlayOpen } from '#/ui/keys';
import { undoLastOf } from '#/ui/recentChanges';
import { undoable } from '#/ui/toast';
import type { ListApi } from './api';

export interface UndoStep {
  /** The toast's text: «Supplier saved». */
  message: string;
  /** The name of the record it was done to. */
  name?: string;
  /** The records with their revisions after the action; null for deleted ones. */
  records: readonly { id: string; revision: number | null }[];
  /** How to undo what is not a change of record fields, such as a move. */
  back?(): Promise<unknown>;
}

/** Parallel requests at most. */
const TOGETHER = 6;

/**
 * Undoes actions, by «Undo» beside the title, or the last one with Ctrl+Z while the page is open. Restored records
 * keep their ids. `underway`, if given, resolves when the last action has its response, because Ctrl+Z may be
 * pressed before that.
 */
export function useUndo<T extends Saved>(
  api: ListApi<T>,
  changed: () => void,
  underway?: () => Promise<void>,
) {
  const [owner] = useState(() => ({}));

  const undo = useCallback(
    async ({ records, back }: UndoStep): Promise<void> => {
      const refused: Problem[] = [];
      try {
        if (back) await back();
        for (let i = 0; !back && i < records.length; i += TOGETHER) {
          const part = records.slice(i, i + TOGETHER);
          const results = await Promise.allSettled(
            part.map(({ id, revision }) => api.undo(id, revision)),
          );
          for (const result of results) {
            if (result.status === 'rejected') refused.push(Problem.of(result.reason));
          }
        }
      } finally {
        changed();
      }
      const first = refused[0];
      if (!first) return;
      if (refused.length === records.length) throw first;
      throw new Error(`${refused.length} of ${records.length} stayed: ${first.message}`);
    },
    [api, changed],
  );

  /** Shows what was done, and offers «Undo». */
  const offer = useCallback(
    (step: UndoStep) => {
      const { message, name } = step;
      const records = step.records.map(({ id }) => id);
      undoable({ message, name, records, owner, undo: () => undo(step) });
    },
    [undo, owner],
  );

  useEffect(() => {
    const press = async (event: KeyboardEvent) => {
      const wanted =
        (event.ctrlKey || event.metaKey) &&
        !event.shiftKey &&
        !event.altKey &&
        event.key.toLowerCase() === 'z';
      if (!wanted || isTyping(event) || overlayOpen()) return;
      event.preventDefault();
      await underway?.();
      undoLastOf(owner);
    };
    const listener = (event: KeyboardEvent) => void press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [owner, underway]);

  return { offer };
}
