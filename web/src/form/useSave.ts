import { useCallback, useRef, useState } from 'react';
import { Problem } from '#/api/problem';
import { done, lastingError, type ToastDuration } from '#/ui/toast';

interface Options<R> {
  /** The revision of the record as the form first shows it; null for a new one. */
  revision?: number | null;
  /** Reads the record as it is saved now, where the answer to a stale revision does not hold all of it. */
  reload?(): Promise<R | null | undefined>;
  /** Where a refusal is shown: in the form, or as a message that stays until it is closed. */
  shows?: 'here' | 'toast';
}

interface Outcome<T> {
  /** Names the work where a screen has several, so that only its own button shows it; «save» by default. */
  as?: string;
  /** The toast that confirms it. */
  said?: string | ((answer: T) => string);
  stays?: ToastDuration;
  /** Called with the answer, such as to close the form. */
  onSaved?(answer: T): unknown;
  /** Called with a refusal; true keeps it from being shown. */
  refused?(problem: Problem): unknown;
  /** Called after either, while it is still busy, such as to read anew what may have changed. */
  onSettled?(): unknown;
}

/**
 * Saves what a form holds: one request at a time, a toast when it is done, the server's refusal with its field errors
 * when it is not. `R` is the record as the server answers it with a stale revision.
 */
export function useSave<R extends object = object>(options: Options<R> = {}) {
  const { revision = null, reload, shows } = options;
  const [doing, setDoing] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [theirs, setTheirs] = useState<R | null>(null);
  const base = useRef(revision);
  const running = useRef(false);

  /**
   * Sends `work` with the revision that the form is based on. Resolves to its answer, or to null if it was refused or
   * other work was still under way. After a stale revision what was typed stays, and the next call sends it with the
   * revision of the version that was shown beside it.
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
    // Cancelling the question for the password needs no message.
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

  /** The version that was saved first; null if it cannot be shown. */
  async function nowOf(found: Problem): Promise<R | null> {
    const current = reload ? await reload().catch(() => null) : found.extras.current;
    return revisionOf(current) === null ? null : (current as R);
  }

  const start = useCallback((revision: number | null): void => {
    base.current = revision;
    setProblem(null);
  }, []);

  return {
    /** The name of the work under way. */
    doing,
    busy: doing !== null,
    problem,
    /** The record as it is saved now, when somebody else saved first. */
    theirs: problem && theirs,
    run,
    setProblem,
    /** Called when the form shows another record, or the same one anew. */
    start,
    /** The error of a field, named as the server names it. */
    errorOf: (field: string) => problem?.fields.find((one) => one.field === field)?.message,
  };
}

export type Save<R extends object = object> = ReturnType<typeof useSave<R>>;

function revisionOf(answer: unknown): number | null {
  const { revision } = (answer ?? {}) as { revision?: unknown };
  return typeof revision === 'number' ? revision : null;
}
