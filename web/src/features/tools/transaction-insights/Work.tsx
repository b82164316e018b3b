import { Button } from '@mantine/core';
import { IconClockPlay } from '@tabler/icons-react';
import { Problem } from '#/api/problem';
import { useMe } from '#/api/session';
import { EmptyState } from '#/ui/EmptyState';
import { plural } from '#/ui/format';
import { JobProgress } from '#/ui/JobProgress';
import { lastingError } from '#/ui/toast';
import { WorkProgress } from '#/ui/WorkProgress';
import { type Asked, atWork, type Told, useInsightsOver, useWorkOut } from './api';
import classes from './Insights.module.css';
import { begun, ended, maySteer } from './work';

interface Props {
  told: Told;
  asked: Asked;
}

/** An analysis too large to answer at once: starts its job, shows its progress or its outcome. */
export function Work({ told, asked }: Props) {
  const me = useMe();
  const start = useWorkOut(asked);
  const over = useInsightsOver();
  const working = atWork(told);
  const title = `Reading ${plural(receipts(told), 'receipt')}`;
  if (working) {
    return (
      <div className={classes.work}>
        {maySteer(me.user, working) ? (
          <JobProgress
            key={working.jobId}
            jobId={working.jobId}
            title={title}
            unit="stores"
            cancellable
            onOver={over}
          />
        ) : (
          <WorkProgress
            title={title}
            doing={begun(working)}
            done={working.done}
            total={working.total}
            note={`${working.startedByName} asked for this. It goes on when you leave this page.`}
          />
        )}
        <p className={classes.quiet}>The answer is kept for a week.</p>
      </div>
    );
  }
  const how = told.work
    ? ended(told.work)
    : {
        title: `${plural(receipts(told), 'receipt')} to read`,
        text: 'This takes from a few seconds to a minute. The answer is kept for a week, and you may leave this page meanwhile.',
        again: 'Start',
      };
  return (
    <EmptyState
      icon={IconClockPlay}
      title={how.title}
      text={how.text}
      action={
        <Button
          loading={start.isPending}
          onClick={() =>
            start.mutate(undefined, {
              onError: (error) => lastingError(Problem.of(error).message),
            })
          }
        >
          {how.again}
        </Button>
      }
    />
  );
}

const receipts = ({ coverage, coverageBefore }: Told) =>
  coverage.receipts + (coverageBefore?.receipts ?? 0);
