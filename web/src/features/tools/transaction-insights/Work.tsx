import { Button, Progress } from '@mantine/core';
import { IconClockPlay } from '@tabler/icons-react';
import { Problem } from '#/api/problem';
import { EmptyState } from '#/ui/EmptyState';
import { count, plural } from '#/ui/format';
import { lastingError } from '#/ui/toast';
import { type Asked, isAtWork, type Told, useWorkOut } from './api';
import classes from './Insights.module.css';

interface Props {
  told: Told;
  asked: Asked;
}

/** A question too large to be answered at once: begins the work, or shows how far it is. */
export function Work({ told, asked }: Props) {
  const start = useWorkOut(asked);
  const { work } = told;
  if (work && isAtWork(told)) {
    return (
      <div className={classes.work}>
        <strong>Reading {count(receipts(told))} receipts</strong>
        <Progress
          value={work.total > 0 ? (work.done / work.total) * 100 : 100}
          animated={work.total === 0}
          striped={work.total === 0}
          size="md"
          aria-label="Reading receipts"
        />
        <p role="status">
          {work.total > 0
            ? `${count(work.done)} of ${plural(work.total, 'store')} · ${work.message}`
            : 'Waiting for its turn'}
        </p>
        <p className={classes.quiet}>You may leave this page; the answer is kept for a week.</p>
      </div>
    );
  }
  return (
    <EmptyState
      icon={IconClockPlay}
      title={work ? 'The work did not end' : `These are ${count(receipts(told))} receipts`}
      text={
        work?.error ??
        'Reading so many takes from some seconds to a minute. The answer is kept for a week, and you may leave this page meanwhile.'
      }
      action={
        <Button
          loading={start.isPending}
          onClick={() =>
            start.mutate(undefined, {
              onError: (error) => lastingError(Problem.of(error).message),
            })
          }
        >
          {work ? 'Try again' : 'Start'}
        </Button>
      }
    />
  );
}

const receipts = ({ coverage, coverageBefore }: Told) =>
  coverage.receipts + (coverageBefore?.receipts ?? 0);
