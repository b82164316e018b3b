import { useState } from 'react';
import { Problem } from '#/api/problem';

/** Something that the server may refuse: whether it is under way, and why it was refused. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  /** `refused` may take a problem for itself: then it is no error. */
  async function run(
    work: () => Promise<void>,
    refused: (problem: Problem) => boolean = () => false,
  ): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (error) {
      const problem = Problem.of(error);
      if (!refused(problem)) setError(problem.message);
    } finally {
      setBusy(false);
    }
  }

  return { busy, error, run };
}
