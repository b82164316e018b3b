import { change } from '#/ui/format';
import { evidence } from '../factors';
import type { ForecastEvent } from '../forecastApi';
import { KINDS } from './calendar';
import classes from './Events.module.css';

/** The past effect of each kind of day on sales, from the month's events. */
export function Learned({ events }: { events: readonly ForecastEvent[] }) {
  const kinds = Object.entries(KINDS).flatMap(([kind, label]) => {
    const learned = events.find((event) => event.kind === kind && event.learned)?.learned;
    return learned ? [{ kind, label, learned }] : [];
  });
  if (kinds.length === 0) return null;
  return (
    <dl className={classes.learned}>
      {kinds.map(({ kind, label, learned }) => (
        <div key={kind} data-kind={kind}>
          <dt>{label}</dt>
          <dd>
            <strong>Forecast uses {change(learned.factor - 1, 0)}</strong>
            <span>{evidence({ kind, learned })}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
