import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { cancelJob, isOver, type Job, useJob } from '#/api/jobs';
import { Problem } from '#/api/problem';
import { count, DOT } from './format';
import { lastingError } from './toast';
import { WorkProgress } from './WorkProgress';

interface Props {
  jobId: string;
  title: string;
  unit?: string;
  cancellable?: boolean;
  onOver(job: Job): void;
}

/** The progress of a job, with a button to cancel it. The job continues after the page is left. */
export function JobProgress({ jobId, title, unit = 'lines', cancellable, onOver }: Props) {
  const { data: job } = useJob(jobId);
  const [stopping, setStopping] = useState(false);
  const reportedJob = useRef<string | null>(null);

  useEffect(() => {
    if (!job || !isOver(job) || reportedJob.current === job.id) return;
    reportedJob.current = job.id;
    onOver(job);
  }, [job, onOver]);

  const { done, total } = job ?? { done: 0, total: 0 };
  const far = total > 0 ? `${count(done)} of ${count(total)} ${unit}` : '';
  const doing = [job?.message, far].filter(Boolean).join(DOT) || 'Starting…';

  return (
    <WorkProgress
      title={title}
      doing={doing}
      done={done}
      total={total}
      note="You may leave this page; the work goes on."
      action={
        cancellable && (
          <Button
            size="compact-sm"
            variant="default"
            loading={stopping}
            onClick={() => {
              setStopping(true);
              cancelJob(jobId).catch((error) => {
                setStopping(false);
                lastingError(Problem.of(error).message);
              });
            }}
          >
            Cancel
          </Button>
        )
      }
    />
  );
}
