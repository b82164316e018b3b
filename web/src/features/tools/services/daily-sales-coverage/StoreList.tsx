import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { plural } from '#/ui/format';
import classes from './Coverage.module.css';
import { dayLabel, hasGaps, percentLabel, STATES, type StoreDays, targetOf } from './coverage';

interface Props {
  stores: readonly StoreDays[];
  dates: readonly string[];
  nameOf(id: string): string;
}

/** For phones: one store at a time, its month as a strip, and the days that need work. */
export function StoreList({ stores, dates, nameOf }: Props) {
  return (
    <ul className={classes.stores}>
      {stores.map((store) => (
        <li key={store.storeId}>
          <Store store={store} dates={dates} name={nameOf(store.storeId)} />
        </li>
      ))}
    </ul>
  );
}

function Store({
  store,
  dates,
  name,
}: {
  store: StoreDays;
  dates: readonly string[];
  name: string;
}) {
  const gaps = store.days.flatMap((day, i) =>
    day.state === 'complete' || day.state === 'closed' ? [] : [{ day, date: dates[i] ?? '' }],
  );
  return (
    <article className={classes.store} aria-label={name}>
      <header>
        <h2>{name}</h2>
        <strong className="num">{percentLabel(store.percent)}</strong>
      </header>
      <div
        className={classes.strip}
        role="img"
        aria-label={`${store.complete} of ${plural(store.expected, 'day')} complete`}
      >
        {store.days.map((day, i) => (
          <i key={dates[i]} data-state={day.state}>
            {STATES[day.state].sign}
          </i>
        ))}
      </div>
      {hasGaps(store) && (
        <details className={classes.gaps}>
          <summary>{plural(gaps.length, 'day needs', 'days need')} attention</summary>
          <ul>
            {gaps.map(({ day, date }) => {
              const target = targetOf(store.storeId, date, day);
              return (
                <li key={date}>
                  {target && (
                    <Link to={target}>
                      <i data-state={day.state} aria-hidden>
                        {STATES[day.state].sign}
                      </i>
                      <span>{dayLabel(day, date)}</span>
                      <IconChevronRight size={16} aria-hidden />
                    </Link>
                  )}
                </li>
              );
            })}
          </ul>
        </details>
      )}
    </article>
  );
}
