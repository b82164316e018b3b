import { useCallback, useEffect, useRef } from 'react';
import { Problem } from '#/api/problem';
import type { Saved } from '#/form/useRecordForm';
import { isTyping, overlayOpen } from '#/ui/keys';
import { done, lastingError, undoable } from '#/ui/toast';
import type { ListApi } from './api';

export interface UndoStep {
  /** The toast's text: «Supplier saved». */
  message: string;
  /** The records with their revisions after the action; null for deleted ones. */
  records: readonly { id: string; revision: number | null }[];
  /** How to undo what is not a change of record fields, such as a move. */
  back?(): Promise<unknown>;
}

/** Parallel requests at most. */
const TOGETHER = 6;

/**
 * Undoes the last action, by its toast or with Ctrl+Z while the page is open. Restored records keep their ids.
 * `underway`, if given, resolves when the last action has its response, because Ctrl+Z may be pressed before
 * that.
 */
export function useUndo<T extends Saved>(
  api: ListApi<T>,
  changed: () => void,
  underway?: () => Promise<void>,
) {
  const steps = useRef<UndoStep[]>([]);

  const undo = useCallback(
    async (step: UndoStep) => {
      // A record can go back one step only: drop earlier steps of the same records.
      const ids = new Set(step.records.map(({ id }) => id));
      steps.current = steps.current.filter(({ records }) => !records.some(({ id }) => ids.has(id)));
      if (step.back) {
        await step.back().then(
          () => done(`Undone: ${lower(step.message)}`),
          (error) => lastingError(Problem.of(error).message),
        );
        changed();
        return;
      }
      const refused: Problem[] = [];
      for (let i = 0; i < step.records.length; i += TOGETHER) {
        const part = step.records.slice(i, i + TOGETHER);
        const results = await Promise.allSettled(
          part.map(({ id, revision }) => api.undo(id, revision)),
        );
        for (const result of results) {
          if (result.status === 'rejected') refused.push(Problem.of(result.reason));
        }
      }
      changed();
      const first = refused[0];
      if (!first) done(`Undone: ${lower(step.message)}`);
      else if (refused.length === step.records.length) lastingError(first.message);
      else lastingError(`${refused.length} of ${step.records.length} stayed: ${first.message}`);
    },
    [api, changed],
  );

  /** Shows what was done, with «Undo». */
  const offer = useCallback(
    (step: UndoStep) => {
      steps.current = [...steps.current, step].slice(-20);
      undoable(step.message, () => void undo(step));
    },
    [undo],
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
      const last = steps.current.at(-1);
      if (last) void undo(last);
    };
    const listener = (event: KeyboardEvent) => void press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [undo, underway]);

  return { offer };
}

/** Lower-cases the first letter, but not of POS or UOM. */
function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
