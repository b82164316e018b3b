import { TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { change, day, MISSING, money, plural, short } from '#/ui/format';
import type { StoreOfDay, StoresOfDay } from './api';
import classes from './Home.module.css';
import { changeOf } from './order';

type Tone = 'ok' | 'warn' | 'danger' | 'neutral';

/** With more stores than this, a search is shown. */
const SEARCHED = 12;

const COUNTED: Record<string, string> = {
  done: 'counted',
  late: 'counted late',
  partial: 'counted in part',
  missing: 'not counted',
  open: 'counting time lasts',
};
const SIGNS: Record<Tone, string> = { ok: '✓', warn: '!', danger: '✕', neutral: '○' };

/** The tone of a store's day. Sales whose time has not passed are not late. */
export function toneOf(store: StoreOfDay, map: StoresOfDay): Tone {
  const unsold = map.withSales && store.net == null && !store.closed;
  if (unsold && map.salesLate) return 'danger';
  if (store.counted === 'missing') return 'danger';
  if (store.counted === 'partial' || store.counted === 'late') return 'warn';
  if (store.closed || unsold) return 'neutral';
  return store.counted === 'open' ? 'neutral' : 'ok';
}

/** What of the day is missing; nothing is all in where nothing was due. */
export function wordsOf(map: StoresOfDay): string {
  if (map.stores.length === 0) return 'No stores yet';
  const words = [
    map.withSales &&
      (map.salesMissing
        ? `Sales of ${plural(map.salesMissing, 'store')} are ${map.salesLate ? 'missing' : 'not in yet'}`
        : map.salesDue
          ? 'All sales are in'
          : 'All stores are closed'),
    map.withCounts &&
      (map.countsMissing
        ? `counts of ${plural(map.countsMissing, 'store')} are missing`
        : map.countsDue
          ? 'no count is missing'
          : 'no count is due'),
  ];
  return words.filter(Boolean).join(', ');
}

/** The day by store, a small tile each. */
export function StoreMap({ title, map }: { title: string; map: StoresOfDay }) {
  const [typed, setTyped] = useState('');
  const sought = useDeferredValue(typed.trim().toLowerCase());
  const stores = useMemo(
    () =>
      map.stores.filter(
        ({ name, code }) => !sought || `${name} ${code ?? ''}`.toLowerCase().includes(sought),
      ),
    [map, sought],
  );
  return (
    <>
      <div className={classes.mapHead}>
        <h2 className={classes.title}>
          {map.href ? (
            <Link to={map.href} className={classes.titleLink}>
              {title}, {day(map.day)}
              <IconChevronRight size={14} stroke={2} aria-hidden />
            </Link>
          ) : (
            `${title}, ${day(map.day)}`
          )}
        </h2>
        <p className={classes.words}>{wordsOf(map)}</p>
        {map.stores.length > SEARCHED && (
          <TextInput
            size="xs"
            aria-label="Find a store"
            placeholder="Find a store"
            leftSection={<IconSearch size={14} stroke={1.8} aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </div>
      {stores.length === 0 ? (
        map.stores.length > 0 && <p className={classes.words}>No store is called that.</p>
      ) : (
        <ul className={classes.map}>
          {stores.map((store) => (
            <Cell key={store.id} store={store} map={map} />
          ))}
        </ul>
      )}
    </>
  );
}

const Cell = memo(function Cell({ store, map }: { store: StoreOfDay; map: StoresOfDay }) {
  const tone = toneOf(store, map);
  const share = store.net == null ? null : changeOf(store.net, store.before);
  const counted = store.counted ? COUNTED[store.counted] : map.withCounts && 'no count due';
  const words = [
    store.name,
    map.withSales &&
      (store.net != null
        ? money(store.net)
        : store.closed
          ? 'closed'
          : map.salesLate
            ? 'sales missing'
            : 'no sales yet'),
    share !== null && `${change(share)} against last week`,
    counted,
  ]
    .filter(Boolean)
    .join(', ');
  const face = (
    <>
      <span className="sr-only">{words}</span>
      <span className={classes.cellName} aria-hidden>
        <span>{store.code || store.name}</span>
        <span className={classes.sign}>{SIGNS[tone]}</span>
      </span>
      {map.withSales && (
        <span className={`${classes.cellFigure} num`} aria-hidden>
          {store.net == null ? MISSING : `₱${short(store.net)}`}
          {share !== null && <small>{change(share, 0)}</small>}
        </span>
      )}
    </>
  );
  return (
    <li>
      {store.href ? (
        <Link to={store.href} className={classes.cell} data-tone={tone} title={words}>
          {face}
        </Link>
      ) : (
        <span className={classes.cell} data-tone={tone} title={words}>
          {face}
        </span>
      )}
    </li>
  );
});
