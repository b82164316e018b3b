import { money, plural } from '#/ui/format';
import type { ZReading } from '../api';
import type { Equation } from '../equations';
import { EquationList } from './Equations';
import classes from './Review.module.css';

/** What a reading says of itself and of the day's imported sales: «Slip adds up; imported sales differ by ₱380.00». */
export function summary(all: readonly Equation[], salesDiffer?: number | null): string {
  const wrong = all.filter(({ holds }) => !holds).length;
  const sums =
    wrong > 0
      ? `${wrong} of ${plural(all.length, 'sum')} ${wrong === 1 ? 'does' : 'do'} not agree`
      : all.length > 0
        ? 'Slip adds up'
        : '';
  const sales =
    salesDiffer == null ? '' : `mported sales differ by ${money(Math.abs(salesDiffer))}`;
  if (!sales) return sums;
  return sums ? `${sums}; i${sales}` : `I${sales}`;
}

interface Props {
  all: readonly Equation[];
  /** A reading that is saved. */
  reading?: Pick<ZReading, 'salesDiffer' | 'uncompared'>;
}

/** At the top of a reading: whether its slip adds up, whether imported sales differ, and each sum that fails. */
export function Failing({ all, reading }: Props) {
  const words = summary(all, reading?.salesDiffer);
  const wrong = all.filter(({ holds }) => !holds);
  if (!words && !reading?.uncompared) return null;
  const tone = wrong.length > 0 ? 'danger' : reading?.salesDiffer != null ? 'warn' : 'ok';
  return (
    <section className={classes.equations} aria-label="What fails" data-tone={tone}>
      {words && (
        <p className={classes.sum} role="status" data-tone={tone}>
          {words}
        </p>
      )}
      {wrong.length > 0 && <EquationList all={wrong} />}
      {reading?.uncompared && (
        <p className={classes.says}>Imported sales are not compared yet: {reading.uncompared}.</p>
      )}
    </section>
  );
}
