import type { Problem } from '#/api/problem';
import { KEPT } from '#/form/SaveProblem';
import classes from './Document.module.css';

/** Why a document was not saved or a step was refused; both versions stay on screen. */
export function DraftProblem({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <div className={classes.notice} data-tone="danger" role="alert">
      <p>
        {problem.message}
        {problem.code === 'stale' && ` ${KEPT}`}
      </p>
    </div>
  );
}
