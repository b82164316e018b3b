import { Button } from '@mantine/core';
import { IconListCheck, IconSearch } from '@tabler/icons-react';
import {
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Name } from '#/api/names';
import { useCan } from '#/api/session';
import { afterFrame } from '#/ui/afterFrame';
import { Dialog } from '#/ui/Dialog';
import { addDays, isDay, today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { moment } from '#/ui/format';
import { Scan } from '#/ui/Scan';
import { done } from '#/ui/toast';
import { Bar } from './Bar';
import classes from './Count.module.css';
import { DEFAULTS, dueCount } from './clock';
import { outbox } from './countQueue';
import { Cursor, CursorContext, useIsCounting } from './cursor';
import { Dock } from './Dock';
import { useFinishedOnDevice } from './finishCount';
import {
  filterItems as findIn,
  firstUncounted,
  itemByCode,
  neighbourOf,
  shownItems,
} from './itemOrder';
import { Notices } from './Notices';
import { Review } from './Review';
import { Rows } from './Rows';
import { Setup } from './Setup';
import { type Item, nameOf, type Scope, type Session } from './types';
import { Unreachable } from './Unreachable';
import { CountModelContext, useCountModel, useCountState } from './useCount';
import { useLease } from './useLease';
import { usePrepareOffline } from './usePrepareOffline';
import { WaitingDrawer } from './WaitingDrawer';

interface Props {
  storeId: string;
  date: string | null;
  session: string | null;
  now: Date;
  bare?: boolean;
  actions: ReactNode;
  stores: readonly Name[];
  onChange(change: Partial<Scope>): void;
}

type Panel = 'none' | 'waiting' | 'review' | 'scan';

const NO_ITEMS: readonly Item[] = [];

/** One store's count. Moving to the next item does not render this component, only the rows and the dock. */
export function OneStore(props: Props) {
  const { storeId, date, session, now, bare, actions, stores, onChange } = props;
  const mayCount = useCan('stores/storeCount', 'count');
  // The due count is decided when the screen opens: it must not change while somebody types.
  const [opened] = useState(now);
  const [settingsSeen, setSettingsSeen] = useState(DEFAULTS);
  const suggested = dueCount(settingsSeen, opened);
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
  const { book, warm } = useCountModel(scope);
  const given = warm.data?.settings;
  const settings = useMemo(() => ({ ...DEFAULTS, ...given }), [given]);
  if (settings !== settingsSeen) setSettingsSeen(settings);
  const state = useCountState(scope);

  const [cursor] = useState(() => new Cursor());
  const [typed, setTyped] = useState('');
  const [panel, setPanel] = useState<Panel>('none');
  const list = useRef<HTMLDivElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  const write = useRef<(() => void) | null>(null);
  const locked = state.data?.locked === true;
  // Only counting takes the lease; reading does not.
  const counting = useIsCounting(cursor) && mayCount && !locked;
  const lease = useLease(scope, counting && settings.userLockEnabled, state.data);
  const finishedState = state.data?.finished ?? null;
  const finishedHere = useFinishedOnDevice(scope);
  // A finished count that was opened again stays editable on this screen until it is finished again.
  const [reopened, setReopened] = useState('');
  const [asked, setAsked] = useState<{ id: string | null } | null>(null);
  const name = `${scope.date} ${scope.session}`;
  const wasFinished = finishedState !== null || finishedHere;
  const finished = wasFinished && reopened !== name;
  const closed = !mayCount || locked || lease.other !== null || finished;
  const { takeOver: ask } = lease;
  const { refetch } = state;
  const takeOver = useCallback(() => void ask().then(() => refetch()), [ask, refetch]);
  const items = warm.data?.items;
  usePrepareOffline(items);

  const found = useMemo(() => findIn(items, typed), [items, typed]);
  const latestFilter = useRef(found);
  latestFilter.current = found;
  // Deferred: the typed letter is shown before the filtered list.
  const shown = useDeferredValue(found);

  const reveal = useCallback(
    (id: string) => {
      // Reveal the next item as well: the person counting already looks for it.
      const next = neighbourOf(book, latestFilter.current, id, 1)?.id;
      for (const one of [next, id]) {
        const row = list.current?.querySelector<HTMLElement>(
          `[data-item="${CSS.escape(one ?? '')}"]`,
        );
        if (!row || !dock.current) continue;
        // Keep the rows above the dock, whose height varies. Set on these rows only: a variable on the list would
        // restyle every row.
        row.style.setProperty('--dock', `${dock.current.offsetHeight + 8}px`);
        row.scrollIntoView({ block: 'nearest' });
      }
    },
    [book],
  );
  // On a small screen a growing dock would cover the current row.
  useEffect(() => {
    const under = dock.current;
    if (!under || !('ResizeObserver' in window)) return;
    const watch = new ResizeObserver(() => {
      const at = cursor.current();
      if (at && under.hasAttribute('data-tight')) reveal(at);
    });
    watch.observe(under);
    return () => watch.disconnect();
  }, [cursor, reveal]);

  const show = useCallback(
    (id: string | null) => {
      write.current?.();
      if (id) book.refresh(id);
      cursor.moveTo(id);
      if (!id) return;
      // Show the field first; scroll the list after that.
      afterFrame(() => reveal(id));
    },
    [book, cursor, reveal],
  );

  const move = useCallback(
    (by: 1 | -1) => {
      const at = cursor.current();
      const next = neighbourOf(book, found, at, by);
      if (next) show(next.id);
      if (next || by === -1) return;
      const open = firstUncounted(book, at);
      if (found) setTyped('');
      show(open?.id ?? null);
      if (!open) setPanel('review');
    },
    [book, cursor, found, show],
  );

  const change = useCallback(
    (to: Partial<Scope>) => {
      // Save what is typed to the count it was typed in.
      show(null);
      onChange(to);
    },
    [show, onChange],
  );

  /** Whether opening an item must be confirmed first, because the count is finished. */
  const mustAsk = finished && mayCount && !locked;
  const open = useCallback(
    (id: string | null) => {
      if (mustAsk) setAsked({ id });
      else show(id);
    },
    [mustAsk, show],
  );
  const reopen = useCallback(() => open(null), [open]);
  const unlocked = useCallback(() => setReopened(name), [name]);

  const toFirst = useCallback(() => {
    const [hit] = found ? shownItems(book, found) : [];
    if (hit) open(hit.id);
  }, [book, found, open]);
  const openWaiting = useCallback(() => setPanel('waiting'), []);
  const openScan = useCallback(() => setPanel('scan'), []);
  const openReview = useCallback(() => {
    show(null);
    setPanel('review');
  }, [show]);
  const close = useCallback(() => setPanel('none'), []);

  function scanned(code: string): boolean {
    const item = itemByCode(book.items(), code);
    if (!item) return false;
    close();
    open(item.id);
    return true;
  }

  const heading = bare ? (warm.data?.store.name ?? 'Store count') : 'Store count';

  return (
    <CountModelContext value={book}>
      <CursorContext value={cursor}>
        <div className={classes.page} data-bare={bare || undefined}>
          <div className={classes.top}>
            <div className={classes.titleLine}>
              <h1 className={bare ? 'sr-only' : classes.title}>{heading}</h1>
              {actions && <div className={classes.actions}>{actions}</div>}
            </div>
            <Setup stores={stores} scope={scope} settings={settings} now={now} onChange={change} />
          </div>

          <Bar
            cursor={cursor}
            find={typed}
            mayCount={mayCount}
            closed={!warm.data || closed}
            finished={finished}
            again={wasFinished}
            onFind={setTyped}
            onFirst={toFirst}
            onScan={openScan}
            onFinish={openReview}
            onWaiting={openWaiting}
          />

          <Notices
            scope={scope}
            settings={settings}
            state={state.data}
            lease={lease.other}
            now={now}
            onTakeOver={takeOver}
            onUnlocked={unlocked}
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
              ) : shown?.size === 0 ? (
                <EmptyState
                  compact
                  icon={IconSearch}
                  title="Nothing matches"
                  action={
                    <Button variant="default" onClick={() => setTyped('')}>
                      Show all items
                    </Button>
                  }
                />
              ) : (
                <Rows blind={settings.blind} found={shown} onOpen={open} />
              )}
            </div>
            <Dock
              dock={dock}
              blind={settings.blind}
              yesterday={addDays(today(now), -1)}
              mayCount={mayCount}
              closed={closed}
              finished={finished && !locked}
              ready={warm.data !== undefined}
              found={found}
              write={write}
              onMove={move}
              onShow={show}
              onReopen={reopen}
            />
          </div>
        </div>

        {panel === 'waiting' && (
          <WaitingDrawer
            items={items ?? NO_ITEMS}
            onClose={close}
            onCountAgain={(record) => {
              close();
              const itemId = record.entries[0]?.itemId;
              if (itemId) open(itemId);
            }}
          />
        )}
        {asked && (
          <Dialog
            opened
            title="Change a finished count?"
            confirm="Change count"
            keep="Leave it"
            onConfirm={() => {
              setReopened(name);
              setAsked(null);
              show(asked.id);
            }}
            onClose={() => setAsked(null)}
          >
            <p>
              {finishedState
                ? `${nameOf(finishedState.by)} finished this count on ${moment(finishedState.at)}.`
                : 'This count was finished on this device.'}{' '}
              Your changes are saved as usual. Press “Finish again” when you are done.
            </p>
          </Dialog>
        )}
        {panel === 'scan' && <Scan onCode={scanned} onClose={close} />}
        {panel === 'review' && (
          <Review
            settings={settings}
            yesterday={addDays(scope.date, -1)}
            onClose={close}
            onOpen={(id) => {
              close();
              open(id);
            }}
            onFinished={(sent) => {
              close();
              setReopened('');
              void state.refetch();
              done(sent ? 'Count finished' : 'Finished on this device');
              void outbox.flush();
            }}
          />
        )}
      </CursorContext>
    </CountModelContext>
  );
}

function Skeleton() {
  return (
    <output className={classes.skeleton} aria-label="Loading…">
      {Array.from({ length: 9 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholder bars have no identity
        <span key={i} />
      ))}
    </output>
  );
}
