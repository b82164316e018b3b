import { Progress } from '@mantine/core';
import { count } from '#/ui/format';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import type { Run } from './api';
import { isPartly, stateLabel } from './labels';
import classes from './Services.module.css';

const TONES: Readonly<Record<Run['state'], Tone>> = {
  queued: 'neutral',
  running: 'brand',
  done: 'ok',
  failed: 'danger',
  cancelled: 'neutral',
};

export const toneOf = (run: Run): Tone => (isPartly(run) ? 'warn' : TONES[run.state]);

export function RunState({ run }: { run: Run }) {
  return <StatusPill tone={toneOf(run)}>{stateLabel(run)}</StatusPill>;
}

/** A run's progress. */
export function Doing({ run }: { run: Run }) {
  const known = run.total > 0;
  const share = known ? Math.min(100, (run.done / run.total) * 100) : 0;
  const words = run.message || (run.state === 'queued' ? 'Waiting for its turn' : 'Starting…');
  return (
    <div className={classes.doing}>
      <p>
        <span>{words}</span>
        {known && <span className="num">{count(Math.floor(share))}%</span>}
      </p>
      <Progress
        value={known ? share : 100}
        animated={!known}
        striped={!known}
        size="sm"
        transitionDuration={120}
        aria-label="Progress of the run"
      />
    </div>
  );
}
