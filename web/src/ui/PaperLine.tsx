import type { ReactNode } from 'react';
import { moment } from './format';
import classes from './PaperLine.module.css';

/** Printed only: the parameters, and the time of printing. */
export function PaperLine({ children }: { children?: ReactNode }) {
  return (
    <p className={classes.line}>
      <span>{children}</span>
      <span>Printed {moment(new Date().toISOString())}</span>
    </p>
  );
}
