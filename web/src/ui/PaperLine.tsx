import type { ReactNode } from 'react';
import { moment } from './format';
import classes from './PaperLine.module.css';

/** On paper alone: what was asked, and when it was printed. */
export function PaperLine({ children }: { children?: ReactNode }) {
  return (
    <p className={classes.line}>
      <span>{children}</span>
      <span>Printed {moment(new Date().toISOString())}</span>
    </p>
  );
}
