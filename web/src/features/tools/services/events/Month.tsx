import { IconPlus } from '@tabler/icons-react';
import { day, plural } from '#/ui/format';
import { factorLabel, factorOf } from '../factors';
import type { ForecastEvent } from '../forecastApi';
import { eventsOn, kindWord } from './calendar';
import classes from './Events.module.css';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** The most events shown per day. */
const MOST = 3;

interface Props {
  weeks: readonly (readonly string[])[];
  month: string;
  today: string;
  events: readonly ForecastEvent[];
  onOpen(id: string): void;
  /** Creates an event on a day. */
  onNew?(on: string): void;
}

/** The month as a calendar; the list beside it has the same events. */
export function Month({ weeks, month, today, events, onOpen, onNew }: Props) {
  return (
    <div className={classes.month}>
      <table className={classes.calendar} aria-label="Month">
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((date) => {
                const found = eventsOn(events, date);
                return (
                  <td
                    key={date}
                    data-outside={date.slice(0, 7) !== month.slice(0, 7) || undefined}
                    data-today={date === today || undefined}
                    data-some={found.length > 0 || undefined}
                  >
                    <span className={classes.date}>
                      <span className="num" aria-current={date === today ? 'date' : undefined}>
                        {Number(date.slice(8))}
                      </span>
                      {onNew && (
                        <button
                          type="button"
                          className={classes.add}
                          aria-label={`New event on ${day(date)}`}
                          title="New event"
                          onClick={() => onNew(date)}
                        >
                          <IconPlus size={13} aria-hidden />
                        </button>
                      )}
                    </span>
                    {found.slice(0, MOST).map((event) => (
                      <button
                        key={event.id}
                        type="button"
                        className={classes.event}
                        data-kind={event.kind}
                        aria-label={`${event.name}, ${kindWord(event.kind).toLowerCase()}, ${day(date)}`}
                        title={`${kindWord(event.kind)}: ${event.name}, sells ${factorLabel(factorOf(event))}`}
                        onClick={() => onOpen(event.id)}
                      >
                        {event.name}
                      </button>
                    ))}
                    {found.length > MOST && (
                      <span className={classes.more}>
                        {plural(found.length - MOST, 'more', 'more')}
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
