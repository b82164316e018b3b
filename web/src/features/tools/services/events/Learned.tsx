import { change } from '#/ui/format';
import { evidence } from '../factors';
import type { ForecastEvent } from '../forecastApi';
import { KINDS } from './calendar';
import classes from './Events.module.css';

/** What past days of each kind did to sales, as far as events of the month tell. */
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
