import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { plural } from '#/ui/format';
import type { CoverageDay } from '../forecastApi';
import classes from './Coverage.module.css';
import { dayLabel, percentLabel, STATES, type StoreDays, targetOf } from './coverage';

const LETTERS = ['S', 'M', 'T', 'W', 'T', 'F', 'S'];

interface Props {
  stores: readonly StoreDays[];
  dates: readonly string[];
  nameOf(id: string): string;
  stale: boolean;
}

interface Tip {
  words: string;
  store: string;
  x: number;
  y: number;
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Stores by days; arrow keys move between days, and the hovered or focused one shows why. */
export function DayGrid({ stores, dates, nameOf, stale }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [tip, setTip] = useState<Tip | null>(null);

  function show(target: EventTarget): void {
    const cell = (target as HTMLElement).closest<HTMLElement>('[data-words]');
    const box = frame.current?.getBoundingClientRect();
    if (!cell || !box) {
      setTip(null);
      return;
    }
    const at = cell.getBoundingClientRect();
    setTip({
      words: cell.dataset.words ?? '',
      store: cell.dataset.store ?? '',
      x: Math.max(8, Math.min(at.left - box.left - 60, box.width - 268)),
      y: at.bottom - box.top + 6,
    });
  }

  function walk(event: KeyboardEvent<HTMLElement>): void {
    const move = MOVES[event.key];
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-r]');
    if (!move || !cell) return;
    event.preventDefault();
    const [r, c] = [Number(cell.dataset.r) + move[0], Number(cell.dataset.c) + move[1]];
    frame.current?.querySelector<HTMLElement>(`[data-r="${r}"][data-c="${c}"]`)?.focus();
  }

  return (
    <div className={classes.holder} ref={frame}>
      <section
        className={classes.frame}
        aria-label="Store days"
        aria-busy={stale}
        onPointerOver={(event) => show(event.target)}
        onPointerLeave={() => setTip(null)}
        onFocus={(event) => show(event.target)}
        onBlur={() => setTip(null)}
        onScroll={() => setTip(null)}
        onKeyDown={walk}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Store</th>
              <th scope="col">Complete</th>
              {dates.map((date) => {
                const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
                return (
                  <th key={date} scope="col" data-sunday={weekday === 0 || undefined}>
                    <span aria-hidden>{LETTERS[weekday]}</span>
                    <span className="num">{Number(date.slice(8))}</span>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {stores.map((store, r) => {
              const name = nameOf(store.storeId);
              return (
                <tr key={store.storeId}>
                  <th scope="row" title={name}>
                    {name}
                  </th>
                  <td
                    className="num"
                    title={`${store.complete} of ${plural(store.expected, 'day')}`}
                  >
                    {percentLabel(store.percent)}
                  </td>
                  {store.days.map((one, c) => (
                    <td key={dates[c]}>
                      <Day
                        storeId={store.storeId}
                        store={name}
                        date={dates[c] ?? ''}
                        day={one}
                        r={r}
                        c={c}
                      />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {tip && (
        <div className={classes.tip} style={{ left: tip.x, top: tip.y }} aria-hidden>
          <strong>{tip.store}</strong>
          <span>{tip.words}</span>
        </div>
      )}
    </div>
  );
}

interface DayProps {
  storeId: string;
  store: string;
  date: string;
  day: CoverageDay;
  r: number;
  c: number;
}

function Day({ storeId, store, date, day, r, c }: DayProps) {
  const words = dayLabel(day, date);
  const target = targetOf(storeId, date, day);
  const common = {
    className: classes.cell,
    'data-state': day.state,
    'data-words': words,
    'data-store': store,
    'data-r': r,
    'data-c': c,
    // One tab stop; arrow keys reach the rest.
    tabIndex: r === 0 && c === 0 ? 0 : -1,
  };
  const sign = <span aria-hidden>{STATES[day.state].sign}</span>;
  if (!target) {
    return (
      <span {...common} role="img" aria-label={`${store}, ${words}`}>
        {sign}
      </span>
    );
  }
  return (
    <Link {...common} to={target} aria-label={`${store}, ${words}`}>
      {sign}
    </Link>
  );
}
