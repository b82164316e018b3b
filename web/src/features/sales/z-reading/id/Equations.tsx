import { IconCheck, IconX } from '@tabler/icons-react';
import type { Equation } from '../equations';
import classes from './Review.module.css';

/** Equations of a reading, with both sides. */
export function Equations({ all }: { all: readonly Equation[] }) {
  if (all.length === 0) return null;
  return (
    <section className={classes.equations} aria-label="Sums">
      <EquationList all={all} />
    </section>
  );
}

export function EquationList({ all }: { all: readonly Equation[] }) {
  return (
    <ul>
      {all.map(({ name, holds, rounded, left, right }) => (
        <li key={name} data-holds={holds}>
          {holds ? (
            <IconCheck size={15} stroke={2.4} aria-label="Agrees" role="img" />
          ) : (
            <IconX size={15} stroke={2.4} aria-label="Does not agree" role="img" />
          )}
          <span className="num">
            {left} <span className={classes.against}>{holds ? (rounded ? '≈' : '=') : '≠'}</span>{' '}
            {right}
          </span>
        </li>
      ))}
    </ul>
  );
}
