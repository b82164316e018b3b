import { sparkPath } from '#/charts/Spark';
import { shortDay } from '#/ui/format';
import classes from './Home.module.css';

const WIDTH = 220;
const HEIGHT = 56;

/** A sparkline; the figures next to it give the values. */
export function Line({ values, label }: { values: readonly number[]; label: string }) {
  return (
    <svg
      className={classes.line}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path
        d={sparkPath(values, WIDTH, HEIGHT)}
        fill="none"
        stroke="var(--chart-1)"
        strokeWidth={2}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

interface Day {
  day: string;
  count: number;
  late: boolean;
  urgent: boolean;
}

/** The most bars shown. */
const MOST = 14;
const STEP = 9;
const TALL = 30;

/** Counts per day, the overdue ones hatched as well as coloured. */
export function Bars({ days, label }: { days: readonly Day[]; label: string }) {
  const shown = days.slice(0, MOST);
  const most = Math.max(...shown.map(({ count }) => count), 1);
  const words = shown.map(
    ({ day, count, late }) => `${shortDay(day)}: ${count}${late ? ', late' : ''}`,
  );
  return (
    <svg
      className={classes.bars}
      width={shown.length * STEP}
      height={TALL}
      role="img"
      aria-label={`${label}. ${words.join('; ')}`}
    >
      {shown.map(({ day, count, late, urgent }, at) => {
        const height = Math.max(3, (count / most) * TALL);
        return (
          <rect
            key={day}
            x={at * STEP}
            y={TALL - height}
            width={STEP - 3}
            height={height}
            rx={1.5}
            className={urgent ? classes.barUrgent : late ? classes.barLate : classes.bar}
          >
            <title>{words[at]}</title>
          </rect>
        );
      })}
    </svg>
  );
}

/** A part of a whole. */
export function Progress({ part, of, label }: { part: number; of: number; label: string }) {
  return (
    <span className={classes.progress} role="img" aria-label={label} title={label}>
      <svg width="100%" height="8" preserveAspectRatio="none" viewBox="0 0 100 8" aria-hidden>
        <rect width="100" height="8" className={classes.rest} />
        <rect width={Math.min(100, (part / of) * 100)} height="8" className={classes.barLate} />
      </svg>
    </span>
  );
}
