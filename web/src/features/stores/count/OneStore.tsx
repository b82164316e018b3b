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
import { done } from '#/ui/toast';
import { Bar } from './Bar';
import classes from './Count.module.css';
import { DEFAULTS, due } from './clock';
import { Cursor, CursorContext, useIsCounting } from './cursor';
import { Dock } from './Dock';
import { useFinishedHere } from './finish';
import { outbox } from './lane';
import { Notices } from './Notices';
import { Review } from './Review';
import { Rows } from './Rows';
import { Scan } from './Scan';
import { Setup } from './Setup';
import { type Item, nameOf, type Scope, type Session } from './types';
import { Unreachable } from './Unreachable';
import { BookContext, useBook, useCountState } from './useCount';
import { useLease } from './useLease';
import { useUpkeep } from './useUpkeep';
import { Waiting } from './Waiting';
import { beside, byCode, find as findIn, firstOpen, shownOf } from './walk';

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

/** One store's count. What a step to the next item changes is drawn further down, and not here. */
export function OneStore(props: Props) {
  const { storeId, date, session, now, bare, actions, stores, onChange } = props;
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
  const { book, warm } = useBook(scope);
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
  // Whoever only looks keeps nobody from counting.
  const counting = useIsCounting(cursor) && mayCount && !locked;
  const lease = useLease(scope, counting && settings.userLockEnabled, state.data);
  const said = state.data?.finished ?? null;
  const finishedHere = useFinishedHere(scope);
  // Whoever opens a finished count again changes it on this screen, until it is finished again.
  const [reopened, setReopened] = useState('');
  const [asked, setAsked] = useState<{ id: string | null } | null>(null);
  const name = `${scope.date} ${scope.session}`;
  const wasFinished = said !== null || finishedHere;
  const finished = wasFinished && reopened !== name;
  const closed = !mayCount || locked || lease.other !== null || finished;
  const { takeOver: ask } = lease;
  const { refetch } = state;
  const takeOver = useCallback(() => void ask().then(() => refetch()), [ask, refetch]);
  const items = warm.data?.items;
  useUpkeep(items);

  const found = useMemo(() => findIn(items, typed), [items, typed]);
  const looked = useRef(found);
  looked.current = found;
  // Whoever types into the search sees the letter first and the shorter list after it.
  const shown = useDeferredValue(found);

  const reveal = useCallback(
    (id: string) => {
      // The one that comes next is seen, too: whoever counts looks for it already.
      const next = beside(book, looked.current, id, 1)?.id;
      for (const one of [next, id]) {
        const row = list.current?.querySelector<HTMLElement>(
          `[data-item="${CSS.escape(one ?? '')}"]`,
        );
        if (!row || !dock.current) continue;
        // Above the dock, however high it is: with a note, many packs, a conflict. Said to these rows alone, since
        // what is said to the list is reckoned anew for each of them.
        row.style.setProperty('--dock', `${dock.current.offsetHeight + 8}px`);
        row.scrollIntoView({ block: 'nearest' });
      }
    },
    [book],
  );
  // With little room, a line more in the dock would lie over what is looked for.
  useEffect(() => {
    const under = dock.current;
    if (!under || !('ResizeObserver' in window)) return;
    const watch = new ResizeObserver(() => {
      const at = cursor.at();
      if (at && under.hasAttribute('data-tight')) reveal(at);
    });
    watch.observe(under);
    return () => watch.disconnect();
  }, [cursor, reveal]);

  const show = useCallback(
    (id: string | null) => {
      write.current?.();
      if (id) book.fresh(id);
      cursor.go(id);
      if (!id) return;
      // The field is there first; the list follows it.
      afterFrame(() => reveal(id));
    },
    [book, cursor, reveal],
  );

  const move = useCallback(
    (by: 1 | -1) => {
      const at = cursor.at();
      const next = beside(book, found, at, by);
      if (next) show(next.id);
      if (next || by === -1) return;
      const open = firstOpen(book, at);
      if (found) setTyped('');
      show(open?.id ?? null);
      if (!open) setPanel('review');
    },
    [book, cursor, found, show],
  );

  const change = useCallback(
    (to: Partial<Scope>) => {
      // What is typed belongs to the count it was typed in.
      show(null);
      onChange(to);
    },
    [show, onChange],
  );

  /** Opens an item to be counted; of a finished count not without a question. */
  const asks = finished && mayCount && !locked;
  const open = useCallback(
    (id: string | null) => {
      if (asks) setAsked({ id });
      else show(id);
    },
    [asks, show],
  );
  const reopen = useCallback(() => open(null), [open]);
  const unlocked = useCallback(() => setReopened(name), [name]);

  const toFirst = useCallback(() => {
    const [hit] = found ? shownOf(book, found) : [];
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
    const item = byCode(book.items(), code);
    if (!item) return false;
    close();
    open(item.id);
    return true;
  }

  const heading = bare ? (warm.data?.store.name ?? 'Store count') : 'Store count';

  return (
    <BookContext value={book}>
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
          <Waiting
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
              {said
                ? `${nameOf(said.by)} finished this count on ${moment(said.at)}.`
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
            onFinished={(told) => {
              close();
              setReopened('');
              void state.refetch();
              done(told ? 'Count finished' : 'Finished on this device');
              void outbox.flush();
            }}
          />
        )}
      </CursorContext>
    </BookContext>
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
