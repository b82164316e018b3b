import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { count, moment } from '#/ui/format';
import { lastingError } from '#/ui/toast';
import { cancelRun, isOpen, type Run } from './api';
import classes from './Snapshots.module.css';

/** The current run with its progress, or the last one's outcome. */
export function RunBar({ run, may }: { run: Run; may: boolean }) {
  const [stopping, setStopping] = useState(false);
  if (!isOpen(run)) {
    const failed = run.outcome?.failedTotal ?? 0;
    return (
      <p className={classes.last} data-tone={run.error || failed > 0 ? 'danger' : undefined}>
        {moment(run.finishedAt ?? run.createdAt)}:{' '}
        {run.error ?? run.outcome?.words ?? 'Stopped before it was done.'}
        {failed > 0 &&
          ` ${count(failed)} could not be done: ${run.outcome?.failed[0]?.what}, ${run.outcome?.failed[0]?.why}`}
      </p>
    );
  }
  const known = run.total > 0;
  return (
    <div className={classes.run} role="status">
      <div className={classes.doing}>
        <strong>Snapshots are being made</strong>
        <span>
          {run.message || (run.state === 'queued' ? 'Waiting for its turn' : 'Starting…')}
        </span>
        {may && (
          <Button
            size="compact-sm"
            variant="default"
            loading={stopping}
            onClick={() => {
              setStopping(true);
              cancelRun(run.id)
                .catch((error) => lastingError(Problem.of(error).message))
                .finally(() => setStopping(false));
            }}
          >
            Stop
          </Button>
        )}
      </div>
      <Progress
        value={known ? Math.min(100, (run.done / run.total) * 100) : 100}
        animated={!known}
        striped={!known}
        size="sm"
        transitionDuration={120}
        aria-label="Progress"
      />
    </div>
  );
}
