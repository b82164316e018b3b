import { Problem } from '#/api/problem';
import { lastingError } from '#/ui/toast';

/** Whether the user cancelled the re-authentication, which needs no message. */
const wasCancelled = (problem: Problem) => problem.code === 'reauthenticate';

/** Shows an error that belongs to no field. */
export function showError(error: unknown): void {
  const problem = Problem.of(error);
  if (!wasCancelled(problem)) lastingError(problem.message);
}
