import type { Run } from './api';
import { runsLabel } from './labels';
import { toneOf } from './RunState';
import classes from './Services.module.css';

const LEAST = 5;
const MOST = 20;

/** The last runs, newest at the right, with duration and outcome. Opens the history. */
export function RunStrip({ runs, onOpen }: { runs: readonly Run[]; onOpen(): void }) {
  if (runs.length === 0) return null;
  const longest = Math.max(1, ...runs.map(({ durationMs }) => durationMs ?? 0));
  const words = runsLabel(runs);
  return (
    <button
      type="button"
      className={classes.strip}
      aria-label={`${words} Open the history.`}
      title={words}
      onClick={onOpen}
    >
      {runs.toReversed().map((run) => (
        <i
          key={run.id}
          data-tone={toneOf(run)}
          style={{ height: LEAST + (MOST - LEAST) * ((run.durationMs ?? 0) / longest) }}
        />
      ))}
    </button>
  );
}
