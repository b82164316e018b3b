import type { FieldError } from '#/api/problem';
import { useSave } from '#/form/useSave';

/** Sends a file's mapping; refusals are shown field by field. */
export function useMapping(wordsOf: (field: FieldError) => string = ({ message }) => message) {
  const { busy, problem, run } = useSave();
  const refused = problem
    ? problem.fields.length > 0
      ? problem.fields.map(wordsOf)
      : [problem.message]
    : [];
  return { busy, refused, send: (work: () => Promise<void>) => run(work) };
}
