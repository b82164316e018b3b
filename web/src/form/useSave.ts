import { useCallback, useEffect, useRef, useState } from 'react';
import { Problem } from '#/api/problem';
import { done, lastingError, type ToastDuration } from '#/ui/toast';

interface Options<R> {
  /** The revision of the record as first shown; null for a new one. */
  revision?: number | null;
  /** Reloads the saved record, if a stale revision's answer does not include all of it. */
  reload?(): Promise<R | null | undefined>;
  /** Where a refusal is shown: in the form, or as a message that stays until closed. */
  shows?: 'here' | 'toast';
}

interface Outcome<T> {
  /** Names the action if a screen has several, so that only its own button is busy; «save» by default. */
  as?: string;
  /** The confirmation toast. */
  said?: string | ((answer: T) => string);
  stays?: ToastDuration;
  /** Called with the answer, for example to close the form. */
  onSaved?(answer: T): unknown;
  /** Called with a refusal; true keeps it from being shown. */
  refused?(problem: Problem): unknown;
  /** Called after either, still busy, for example to refetch. */
  onSettled?(): unknown;
}

/**
 * Saves a form: one request at a time, a toast on success, the server's refusal with its field
 * errors otherwise. `R` is the record as returned with a stale revision.
 */
export function useSave<R extends object = object>(options: Options<R> = {}) {
  const { revision = null, reload, shows } = options;
  const [doing, setDoing] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [theirs, setTheirs] = useState<R | null>(null);
  const base = useRef(revision);
  const running = useRef(false);

  /**
   * Sends `work` with the form's revision. Resolves to its answer, or to null if it was refused or
   * another one was pending. After a stale revision the typed values stay, and the next call sends
   * the revision of the version shown with them.
   */
  async function run<T>(
    work: (revision: number | null) => Promise<T>,
    outcome: Outcome<T> = {},
  ): Promise<T | null> {
    if (running.current) return null;
    running.current = true;
    setDoing(outcome.as ?? 'save');
    setProblem(null);
    setTheirs(null);
    try {
      const answer = await work(base.current);
      base.current = revisionOf(answer) ?? base.current;
      const { said } = outcome;
      if (said) done(typeof said === 'function' ? said(answer) : said, outcome.stays);
      await outcome.onSaved?.(answer);
      return answer;
    } catch (error) {
      await refuse(Problem.of(error), outcome);
      return null;
    } finally {
      await outcome.onSettled?.();
      running.current = false;
      setDoing(null);
    }
  }

  async function refuse(found: Problem, outcome: Pick<Outcome<unknown>, 'refused'>): Promise<void> {
    if (outcome.refused?.(found) === true) return;
    // Cancelling re-authentication needs no message.
    if (found.code === 'reauthenticate') return;
    if (shows === 'toast') {
      lastingError(found.message);
      return;
    }
    const current = found.code === 'stale' ? await nowOf(found) : null;
    if (current) base.current = revisionOf(current);
    setTheirs(current);
    setProblem(found);
  }

  /** The version saved first; null if it cannot be shown. */
  async function nowOf(found: Problem): Promise<R | null> {
    const current = reload ? await reload().catch(() => null) : found.extras.current;
    return revisionOf(current) === null ? null : (current as R);
  }

  // After the message of a refusal, which takes the focus where no field does.
  useEffect(() => {
    if (problem && problem.fields.length > 0) focusFirstRefused();
  }, [problem]);

  const start = useCallback((revision: number | null): void => {
    base.current = revision;
    setProblem(null);
  }, []);

  return {
    /** The name of the pending action. */
    doing,
    busy: doing !== null,
    problem,
    /** The saved record, when another user saved first. */
    theirs: problem && theirs,
    run,
    setProblem,
    /** Call when the form shows another record, or the same one anew. */
    start,
    /** The error of a field, by the server's name. */
    errorOf: (field: string) => problem?.fields.find((one) => one.field === field)?.message,
  };
}

export type Save<R extends object = object> = ReturnType<typeof useSave<R>>;

function revisionOf(answer: unknown): number | null {
  const { revision } = (answer ?? {}) as { revision?: unknown };
  return typeof revision === 'number' ? revision : null;
}

/** Puts the focus on the first refused field of the dialog on top, else of the page. */
function focusFirstRefused(): void {
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  const refused = '[aria-invalid="true"]';
  const field =
    dialog?.querySelector<HTMLElement>(refused) ?? document.querySelector<HTMLElement>(refused);
  field?.focus();
  field?.scrollIntoView?.({ block: 'center' });
}
