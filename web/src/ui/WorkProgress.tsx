import { Progress as Bar } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './JobProgress.module.css';

interface Props {
  title: string;
  /** The current activity. */
  doing: string;
  done: number;
  /** 0 while unknown. */
  total: number;
  note: string;
  action?: ReactNode;
}

/** The progress of some work. */
export function WorkProgress({ title, doing, done, total, note, action }: Props) {
  const known = total > 0;
  return (
    <div className={classes.job}>
      <div className={classes.head}>
        <strong>{title}</strong>
        <span className={`${classes.done} num`}>{doing}</span>
        {action}
      </div>
      <Bar
        value={known ? Math.min(100, (done / total) * 100) : 100}
        animated={!known}
        striped={!known}
        size="md"
        transitionDuration={120}
        aria-label={title}
      />
      <p className={classes.note}>{note}</p>
    </div>
  );
}
