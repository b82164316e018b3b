import { Problem } from '#/api/problem';
import { trouble } from '#/ui/toast';

/** Whether the person thought better of giving the password again; nothing more need be said. */
export const thoughtBetter = (problem: Problem) => problem.code === 'reauthenticate';

/** Says what went wrong where no field can. */
export function tell(error: unknown): void {
  const problem = Problem.of(error);
  if (!thoughtBetter(problem)) trouble(problem.message);
}
