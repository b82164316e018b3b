import { useCallback, useEffect, useRef } from 'react';
import { Problem } from '#/api/problem';
import type { Saved } from '#/form/useRecordForm';
import { isTyping, overlayOpen } from '#/ui/keys';
import { done, trouble, undoable } from '#/ui/toast';
import type { ListApi } from './api';

export interface Step {
  /** What was done: «Supplier saved». */
  message: string;
  /** The revisions it led to; null where the record is gone. */
  records: readonly { id: string; revision: number | null }[];
  /** How it goes back where that is no change of a record, such as its place among others. */
  back?(): Promise<unknown>;
}

/** So many at once; a list of hundreds would otherwise be sent in one burst. */
const TOGETHER = 6;

/**
 * The way back from what one did here last: by the toast, or Ctrl+Z while the page stays open. Ids
 * stay, so whatever knew the record still does. `underway`, where given, ends when what was just done
 * has its answer: Ctrl+Z may be pressed before that.
 */
export function useUndo<T extends Saved>(
  api: ListApi<T>,
  changed: () => void,
  underway?: () => Promise<void>,
) {
  const steps = useRef<Step[]>([]);

  const undo = useCallback(
    async (step: Step) => {
      // A record goes back one step; what was done to it before can't follow.
      const ids = new Set(step.records.map(({ id }) => id));
      steps.current = steps.current.filter(({ records }) => !records.some(({ id }) => ids.has(id)));
      if (step.back) {
        await step.back().then(
          () => done(`Undone: ${lower(step.message)}`),
          (error) => trouble(Problem.of(error).message),
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
      else if (refused.length === step.records.length) trouble(first.message);
      else trouble(`${refused.length} of ${step.records.length} stayed: ${first.message}`);
    },
    [api, changed],
  );

  /** Says what was done and offers to take it back. */
  const offer = useCallback(
    (step: Step) => {
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

/** In the middle of a sentence, leaving POS and UOM as they are. */
function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
