import { Button } from '@mantine/core';
import { Problem } from '#/api/problem';
import { day } from '#/ui/format';
import type { Ask } from '../api';
import { useEstimate } from './api';
import { type Draft, isSlow } from './ask';
import { estimateLabel } from './estimateLabel';
import classes from './Replay.module.css';

interface Props {
  /** Null while incomplete or invalid. */
  ask: Ask | null;
  drafts: readonly Draft[];
  wrong: boolean;
  /** Chooses this many days up to yesterday. */
  onRange(days: number): void;
  /** Removes the actual orders. */
  onLeaveOut(): void;
}

/** The estimated duration of a replay; and whether there is anything to replay. */
export function EstimateLine({ ask, drafts, wrong, onRange, onLeaveOut }: Props) {
  const { data, error, isFetching } = useEstimate(ask);
  if (drafts.length === 0) {
    return <p className={classes.estimate}>Add at least one policy, or what was really ordered.</p>;
  }
  if (wrong) return <p className={classes.estimate}>Correct the marked fields to start.</p>;
  if (error && ask) {
    const problem = Problem.of(error);
    return (
      <p className={classes.estimate} role="alert" data-tone="danger">
        {problem.fields.map(({ message }) => message).join(' ') || problem.message}
      </p>
    );
  }
  if (!data)
    return <p className={classes.estimate}>{ask ? 'Working out how long it takes…' : ''}</p>;
  return (
    <div className={classes.estimate} aria-live="polite" aria-busy={isFetching}>
      <p>{estimateLabel(data, isSlow(drafts))}</p>
      {data.playable === 0 && data.leftOut > 0 && drafts.some(({ actual }) => actual) && (
        <p className={classes.warning}>
          What was really ordered can only be followed from a count on: nothing was counted before{' '}
          {day(data.from)}.
          <Button size="compact-xs" variant="default" onClick={() => onRange(7)}>
            Take the last 7 days
          </Button>
          <Button size="compact-xs" variant="default" onClick={onLeaveOut}>
            Leave it out
          </Button>
        </p>
      )}
    </div>
  );
}
