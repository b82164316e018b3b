import { IconCheck, IconX } from '@tabler/icons-react';
import type { Equation } from '../equations';
import classes from './Review.module.css';

/** The sums of a reading as it is typed, both sides shown. */
export function Equations({ all }: { all: readonly Equation[] }) {
  if (all.length === 0) return null;
  const wrong = all.filter(({ holds }) => !holds).length;
  return (
    <section className={classes.equations} aria-label="Sums">
      <p className={classes.sum} role="status" data-tone={wrong > 0 ? 'danger' : 'ok'}>
        {wrong > 0 ? `${wrong} of ${all.length} sums do not agree` : `All ${all.length} sums agree`}
      </p>
      <ul>
        {all.map(({ name, holds, left, right }) => (
          <li key={name} data-holds={holds}>
            {holds ? (
              <IconCheck size={15} stroke={2.4} aria-label="Agrees" role="img" />
            ) : (
              <IconX size={15} stroke={2.4} aria-label="Does not agree" role="img" />
            )}
            <span className="num">
              {left} <span className={classes.against}>{holds ? '=' : '≠'}</span> {right}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
