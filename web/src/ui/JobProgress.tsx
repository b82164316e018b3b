import { Button, Progress } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { cancelJob, isOver, type Job, useJob } from '#/api/jobs';
import { Problem } from '#/api/problem';
import { count } from './format';
import classes from './JobProgress.module.css';
import { lastingError } from './toast';

interface Props {
  jobId: string;
  title: string;
  unit?: string;
  cancellable?: boolean;
  onOver(job: Job): void;
}

/** The progress of a job, with a button to cancel it. The job goes on when the page is left. */
export function JobProgress({ jobId, title, unit = 'lines', cancellable, onOver }: Props) {
  const { data: job } = useJob(jobId);
  const [stopping, setStopping] = useState(false);
  const reportedJob = useRef<string | null>(null);

  useEffect(() => {
    if (!job || !isOver(job) || reportedJob.current === job.id) return;
    reportedJob.current = job.id;
    onOver(job);
  }, [job, onOver]);

  const known = (job?.total ?? 0) > 0;
  const share = known && job ? Math.min(100, (job.done / job.total) * 100) : 0;
  const far = known && job ? `${count(job.done)} of ${count(job.total)} ${unit}` : '';
  const doing = [job?.message, far].filter(Boolean).join(' · ') || 'Starting…';

  return (
    <div className={classes.job}>
      <div className={classes.head}>
        <strong>{title}</strong>
        <span className={`${classes.done} num`}>{doing}</span>
        {cancellable && (
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
        )}
      </div>
      <Progress
        value={known ? share : 100}
        animated={!known}
        striped={!known}
        size="md"
        transitionDuration={120}
        aria-label={title}
      />
      <p className={classes.note}>You may leave this page; the work goes on.</p>
    </div>
  );
}
