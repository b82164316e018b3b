import { IconCheck, IconX } from '@tabler/icons-react';
import { money, plural } from '#/ui/format';
import type { ZReading } from '../api';
import type { Equation } from '../equations';
import classes from './Review.module.css';

interface Props {
  all: readonly Equation[];
  /** Comparisons with the day's imported sales. */
  imported?: ZReading['checks'];
}

/** The equations of a reading being typed, with both sides. */
export function Equations({ all, imported = [] }: Props) {
  if (all.length === 0) return null;
  const wrong = all.filter(({ holds }) => !holds).length;
  const off = imported.find(({ name, holds }) => name.startsWith('receipts') && !holds);
  const apart = off ? Math.abs(off.left - off.right) : null;
  return (
    <section className={classes.equations} aria-label="Sums">
      <p className={classes.sum} role="status" data-tone={wrong > 0 ? 'danger' : 'ok'}>
        {wrong > 0
          ? `${wrong} of ${plural(all.length, 'sum')} ${wrong === 1 ? 'does' : 'do'} not agree`
          : `Slip adds up${apart === null ? '' : `; imported sales differ by ${money(apart)}`}`}
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
