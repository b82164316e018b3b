import { Button } from '@mantine/core';
import {
  IconBarcode,
  IconBuildingOff,
  IconCloudOff,
  IconListCheck,
  IconPlayerPlay,
  IconSearch,
} from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Name } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan, useMe } from '#/api/session';
import { askToStay } from '#/offline/device';
import type { Place } from '#/offline/outbox';
import { work } from '#/ui/arithmetic';
import { addDays, isDay, today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { plural } from '#/ui/format';
import { done, failed } from '#/ui/toast';
import { isOutOfReach } from './api';
import { Badge } from './Badge';
import classes from './Count.module.css';
import { DEFAULTS, due } from './clock';
import { Entry } from './Entry';
import { finishWaiting } from './finish';
import { outbox } from './lane';
import { Notices } from './Notices';
import { sendPhotos } from './photos';
import { keepPictures } from './pictures';
import { Review } from './Review';
import { Rows } from './Rows';
import { canScan, Scan } from './Scan';
import { Setup } from './Setup';
import type { Scope, Session } from './types';
import { BookContext, useBook, useCountState, useNow, useProgress, useStores } from './useCount';
import { useLease } from './useLease';
import { Waiting } from './Waiting';

const LAST_STORE = 'storeCount:lastStoreId';

function lastStore(): string {
  try {
    return localStorage.getItem(LAST_STORE) ?? '';
  } catch {
    return '';
  }
}

interface Props {
  /** Beside the heading: what else there is to do about counts. */
  actions?(storeId: string): ReactNode;
  /** In the app of its own the bar says already what this is. */
  bare?: boolean;
}

/** Store, day and session, and everything there is to count. */
export function Count({ actions, bare }: Props) {
  const stores = useStores();
  const [search, setSearch] = useSearchParams();
  const [remembered, setRemembered] = useState(lastStore);
  const now = useNow();

  const change = useCallback(
    ({ storeId: store, date, session }: Partial<Scope>): void => {
      if (store) {
        setRemembered(store);
        try {
          localStorage.setItem(LAST_STORE, store);
        } catch {
          // Chosen for now, then.
        }
      }
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (store) next.set('store', store);
          if (date) next.set('date', date);
          if (session !== undefined) next.set('session', session || 'day');
          return next;
        },
        { replace: true },
      );
    },
    [setSearch],
  );

  if (stores.isPending) return <output className={classes.loading}>Loading…</output>;
  if (stores.error) return <Unreachable error={stores.error} retry={() => void stores.refetch()} />;
  const ids = new Set(stores.data.map(({ id }) => id));
  const storeId =
    [search.get('store') ?? '', remembered].find((id) => ids.has(id)) ?? stores.data[0]?.id;
  if (!storeId) {
    return (
      <EmptyState
        page
        icon={IconBuildingOff}
        title="No store is yours yet"
        text="Ask your administrator which stores you work in."
      />
    );
  }

  return (
    <OneStore
      key={storeId}
      storeId={storeId}
      date={search.get('date')}
      session={search.get('session')}
      now={now}
      bare={bare}
      actions={actions?.(storeId)}
      stores={stores.data}
      onChange={change}
    />
  );
}

interface StoreProps {
  storeId: string;
  date: string | null;
  session: string | null;
  now: Date;
  bare?: boolean;
  actions: ReactNode;
  stores: readonly Name[];
  onChange(change: Partial<Scope>): void;
}

function OneStore(props: StoreProps) {
  const { storeId, date, session, now, bare, actions, stores, onChange } = props;
  const me = useMe();
  const { uid } = me.user;
  const mayCount = useCan('stores/storeCount', 'count');
  // What is due is settled when the screen opens: it must not change under somebody who types.
  const [opened] = useState(now);
  const [settingsSeen, setSettingsSeen] = useState(DEFAULTS);
  const suggested = due(settingsSeen, opened);
  const chosen: Session | null =
    session === 'day' ? '' : session === 'opening' || session === 'closing' ? session : null;
  const which = {
    date: isDay(date) ? date : suggested.date,
    session: chosen ?? suggested.session,
  };
  const scope: Scope = useMemo(
    () => ({ storeId, date: which.date, session: which.session }),
    [storeId, which.date, which.session],
  );
  const { book, warm, entries } = useBook(scope);
  const given = warm.data?.settings;
  const settings = useMemo(() => ({ ...DEFAULTS, ...given }), [given]);
  if (settings !== settingsSeen) setSettingsSeen(settings);
  const state = useCountState(scope);

  const [active, setActive] = useState<string | null>(null);
  const [find, setFind] = useState('');
  const [panel, setPanel] = useState<'none' | 'waiting' | 'review' | 'scan'>('none');
  const [said, setSaid] = useState<{ text: string; place: Place } | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  const write = useRef<(() => void) | null>(null);
  const locked = state.data?.locked === true;
  // Whoever only looks keeps nobody from counting.
  const counting = active !== null && mayCount && !locked;
  const lease = useLease(scope, counting && settings.userLockEnabled, state.data);
  const closed = !mayCount || locked || lease.other !== null;
  const { takeOver: ask } = lease;
  const { refetch } = state;
  const takeOver = useCallback(() => void ask().then(() => refetch()), [ask, refetch]);
  useKeyboard(dock);

  // What came in without a network goes out with the next that can.
  useEffect(() => {
    const more = () => {
      void sendPhotos(uid);
      void finishWaiting(uid);
    };
    more();
    window.addEventListener('storeCount:synced', more);
    window.addEventListener('online', more);
    return () => {
      window.removeEventListener('storeCount:synced', more);
      window.removeEventListener('online', more);
    };
  }, [uid]);

  const warmItems = warm.data?.items;
  useEffect(() => {
    if (!warmItems) return;
    const stop = new AbortController();
    const timer = setTimeout(() => void keepPictures(warmItems, stop.signal), 2_000);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [warmItems]);
  useEffect(() => void askToStay(), []);

  const found = useMemo(() => {
    const words = find.trim().toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0 || !warmItems) return null;
    const hits = warmItems.filter(({ name, code, barcode }) => {
      const text = `${name} ${code ?? ''} ${barcode ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return new Set(hits.map(({ id }) => id));
  }, [find, warmItems]);

  const show = useCallback((id: string | null) => {
    write.current?.();
    setActive(id);
    if (!id) return;
    requestAnimationFrame(() => {
      list.current
        ?.querySelector(`[data-item="${CSS.escape(id)}"]`)
        ?.scrollIntoView({ block: 'nearest' });
    });
  }, []);

  function move(by: 1 | -1): void {
    const order = book.items().filter(({ id }) => !found || found.has(id));
    const at = order.findIndex(({ id }) => id === active);
    const next = order[at + by];
    if (next) show(next.id);
    if (next || by === -1) return;
    const open = book.items().find(({ id }) => id !== active && !book.row(id).counted);
    if (found) setFind('');
    if (open) show(open.id);
    else {
      show(null);
      setPanel('review');
    }
  }

  function fill(lines: readonly string[]): void {
    const order = book.items().filter(({ id }) => !found || found.has(id));
    const from = order.findIndex(({ id }) => id === active);
    const values = lines.flatMap((line, i) => {
      const item = order[from + i];
      const value = work(line.split('\t')[0] ?? '');
      return item && value !== null && value >= 0 ? [{ itemId: item.id, qty: value }] : [];
    });
    if (values.length === 0) {
      failed('Nothing in there is a number.');
      return;
    }
    void book.countMany(values).then((place) => {
      setSaid({ text: plural(values.length, 'count'), place });
      done(`${plural(values.length, 'count')} filled in`);
    });
  }

  function scanned(code: string): void {
    setPanel('none');
    const item = book.items().find(({ barcode, code: own }) => barcode === code || own === code);
    if (item) show(item.id);
    else failed(`No item here has the code ${code}.`);
  }

  function start(): void {
    const first = book.items().find(({ id }) => !book.row(id).counted) ?? book.items()[0];
    if (first) show(first.id);
  }

  const item = active && !closed ? book.items().find(({ id }) => id === active) : undefined;
  const heading = bare ? (warm.data?.store.name ?? 'Store count') : 'Store count';
  const onSaved = useCallback((text: string, place: Place) => setSaid({ text, place }), []);

  return (
    <BookContext value={book}>
      <div className={classes.page} data-bare={bare || undefined}>
        <div className={classes.top}>
          <div className={classes.titleLine}>
            <h1 className={bare ? 'sr-only' : classes.title}>{heading}</h1>
            {actions && <div className={classes.actions}>{actions}</div>}
          </div>
          <Setup stores={stores} scope={scope} settings={settings} now={now} onChange={onChange} />
        </div>

        <div className={classes.sticky}>
          <div className={classes.bar}>
            <Counted />
            <Badge onOpen={() => setPanel('waiting')} />
          </div>
          <div className={classes.bar}>
            <label className={classes.find}>
              <IconSearch size={18} stroke={1.8} aria-hidden />
              <input
                type="search"
                aria-label="Find an item"
                placeholder="Name, code or barcode"
                value={find}
                onChange={(event) => setFind(event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || !found) return;
                  event.preventDefault();
                  const [hit] = book.items().filter(({ id }) => found.has(id));
                  if (hit) show(hit.id);
                }}
              />
            </label>
            {canScan() && (
              <button
                type="button"
                className={classes.scan}
                aria-label="Scan a barcode"
                onClick={() => setPanel('scan')}
              >
                <IconBarcode size={22} stroke={1.7} aria-hidden />
              </button>
            )}
            {mayCount && (
              <Button
                className={classes.finish}
                variant={item ? 'default' : 'filled'}
                leftSection={<IconListCheck size={18} aria-hidden />}
                disabled={!warm.data || closed}
                onClick={() => {
                  show(null);
                  setPanel('review');
                }}
              >
                Finish
              </Button>
            )}
          </div>
        </div>

        <Notices
          scope={scope}
          settings={settings}
          state={state.data}
          lease={lease.other}
          kept={me.kept === true || isOutOfReach(entries.error)}
          now={now}
          onTakeOver={takeOver}
        />

        <div className={classes.work}>
          <div ref={list} className={classes.list}>
            {warm.isPending ? (
              <Skeleton />
            ) : warm.error ? (
              <Unreachable error={warm.error} retry={() => void warm.refetch()} />
            ) : warm.data.items.length === 0 ? (
              <EmptyState
                icon={IconListCheck}
                title="Nothing is counted here yet"
                text="Store inventory items decide what a store counts. Ask your administrator to add some."
              />
            ) : found?.size === 0 ? (
              <EmptyState
                compact
                icon={IconSearch}
                title="Nothing matches"
                action={
                  <Button variant="default" onClick={() => setFind('')}>
                    Show all items
                  </Button>
                }
              />
            ) : (
              <Rows active={item?.id ?? null} blind={settings.blind} found={found} onOpen={show} />
            )}
          </div>

          <div ref={dock} className={classes.dock} data-open={item ? true : undefined}>
            {said && (
              <p className={classes.said} role="status" data-place={said.place}>
                {said.text} – {said.place === 'nowhere' ? 'NOT saved' : 'saved on this device'}
              </p>
            )}
            {item ? (
              <Entry
                item={item}
                blind={settings.blind}
                yesterday={addDays(today(now), -1)}
                write={write}
                onMove={move}
                onFill={fill}
                onClose={() => show(null)}
                onSaved={onSaved}
              />
            ) : (
              mayCount &&
              warm.data && (
                <Button
                  className={classes.start}
                  size="md"
                  fullWidth
                  disabled={closed || warm.data.items.length === 0}
                  leftSection={<IconPlayerPlay size={20} aria-hidden />}
                  onClick={start}
                >
                  Start counting
                </Button>
              )
            )}
          </div>
        </div>
      </div>

      <Waiting
        opened={panel === 'waiting'}
        items={warm.data?.items ?? []}
        onClose={() => setPanel('none')}
        onCountAgain={(record) => {
          setPanel('none');
          const itemId = record.entries[0]?.itemId;
          if (itemId) show(itemId);
        }}
      />
      {panel === 'scan' && <Scan onCode={scanned} onClose={() => setPanel('none')} />}
      {panel === 'review' && (
        <Review
          settings={settings}
          yesterday={addDays(scope.date, -1)}
          onClose={() => setPanel('none')}
          onOpen={(id) => {
            setPanel('none');
            show(id);
          }}
          onFinished={(told) => {
            setPanel('none');
            void state.refetch();
            done(told ? 'Count finished' : 'Finished on this device; sent with the counts');
            void outbox.flush();
          }}
        />
      )}
    </BookContext>
  );
}

function Counted() {
  const { counted, of } = useProgress();
  return (
    <div className={classes.counted}>
      <span>
        <b>{counted}</b> of {of} counted
      </span>
      <progress
        className={classes.meter}
        max={Math.max(of, 1)}
        value={counted}
        aria-label="Progress"
      />
    </div>
  );
}

function Unreachable({ error, retry }: { error: unknown; retry(): void }) {
  const away = isOutOfReach(error);
  return (
    <EmptyState
      page
      role="alert"
      icon={away ? IconCloudOff : IconBuildingOff}
      title={away ? 'This store is not on this device yet' : 'The count could not be opened'}
      text={
        away
          ? 'Open it once with a connection; after that it also works without one.'
          : Problem.of(error).message
      }
      action={
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      }
    />
  );
}

function Skeleton() {
  return (
    <output className={classes.skeleton} aria-label="Loading…">
      {Array.from({ length: 9 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars without any meaning of their own
        <span key={i} />
      ))}
    </output>
  );
}

/** Some phones lay their keyboard over the page; the dock stays above it. */
function useKeyboard(dock: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const fit = () => {
      const hidden = Math.max(0, Math.round(innerHeight - view.height - view.offsetTop));
      dock.current?.style.setProperty('--keyboard', `${hidden}px`);
    };
    view.addEventListener('resize', fit);
    view.addEventListener('scroll', fit);
    return () => {
      view.removeEventListener('resize', fit);
      view.removeEventListener('scroll', fit);
    };
  }, [dock]);
}
