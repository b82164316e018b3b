import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Name } from '#/api/names';
import { useCan } from '#/api/session';
import { afterFrame } from '#/ui/afterFrame';
import { Dialog } from '#/ui/Dialog';
import { addDays, today } from '#/ui/dates';
import { moment } from '#/ui/format';
import { Scan } from '#/ui/Scan';
import textClasses from '#/ui/Text.module.css';
import { done } from '#/ui/toast';
import { unknownCode } from '#/ui/unknownCode';
import { useScanner } from '#/ui/useScanner';
import { Bar } from './Bar';
import { CloseGoods } from './CloseGoods';
import classes from './Count.module.css';
import { outbox } from './countQueue';
import { Cursor, CursorContext, useIsCounting } from './cursor';
import { Dock } from './Dock';
import { BASE_UNIT } from './draft';
import { useFinishedOnDevice } from './finishCount';
import { ItemList } from './ItemList';
import {
  filterItems as findIn,
  firstUncounted,
  itemByCode,
  neighbourOf,
  shownItems,
  unitByCode,
} from './itemOrder';
import { Notices } from './Notices';
import { Review } from './Review';
import { Setup } from './Setup';
import { type CountState, type Item, nameOf, type Scope, type Settings } from './types';
import { CountModelContext, useCountState, useOpenCount } from './useCount';
import { useLease } from './useLease';
import { usePrepareOffline } from './usePrepareOffline';
import { useReveal } from './useReveal';
import { useScope } from './useScope';
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

/** Whether the count is finished. One that was opened again stays editable here until it is finished again. */
function useFinished(scope: Scope, finishedState: CountState['finished']) {
  const here = useFinishedOnDevice(scope);
  const [reopened, setReopened] = useState('');
  const name = `${scope.date} ${scope.session}`;
  const before = Boolean(finishedState) || here;
  return {
    /** Whether it was finished at any time. */
    before,
    finished: before && reopened !== name,
    reopen: useCallback(() => setReopened(name), [name]),
    close: useCallback(() => setReopened(''), []),
  };
}

/** One store's count. Moving to the next item does not render this component, only the rows and the dock. */
export function OneStore(props: Props) {
  const { now, bare, actions, stores, onChange } = props;
  const mayCount = useCan('stores/storeCount', 'count');
  const { scope, book, warm, settings } = useScope(props);
  const state = useCountState(scope);

  const [cursor] = useState(() => new Cursor());
  const [typed, setTyped] = useState('');
  const [panel, setPanel] = useState<Panel>('none');
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const dock = useRef<HTMLDivElement>(null);
  const write = useRef<(() => void) | null>(null);
  const locked = state.data?.locked === true;
  // Only counting takes the lease; reading does not.
  const counting = useIsCounting(cursor) && mayCount && !locked;
  const lease = useLease(scope, counting && settings.userLockEnabled, state.data);
  const finishedState = state.data?.finished ?? null;
  const finish = useFinished(scope, finishedState);
  const [asked, setAsked] = useState<{ id: string | null } | null>(null);
  const { finished } = finish;
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

  const reveal = useReveal(book, cursor, { list, dock, latestFilter });
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

  const toFirst = useCallback(() => {
    const [hit] = found ? shownItems(book, found) : [];
    if (hit) open(hit.id);
  }, [book, found, open]);
  const scan = useCallback(
    (code: string) => {
      const item = itemByCode(book.items(), code);
      if (!item) {
        unknownCode(code, { label: 'Find it by name', open: () => box.current?.focus() });
        return;
      }
      const unit = unitByCode(item, code);
      setTyped('');
      if (cursor.current() === item.id) {
        // Opening it again would save what is typed so far as its count.
        focusUnit(dock.current, unit ?? BASE_UNIT);
        return;
      }
      open(item.id);
      // The item's entry takes the focus first.
      if (unit) afterFrame(() => afterFrame(() => focusUnit(dock.current, unit)));
    },
    [book, cursor, open],
  );
  useScanner(panel === 'none' ? scan : null);
  const clearSearch = useCallback(() => setTyped(''), []);
  const openWaiting = useCallback(() => setPanel('waiting'), []);
  const openScan = useCallback(() => setPanel('scan'), []);
  const openReview = useCallback(() => {
    show(null);
    setPanel('review');
  }, [show]);
  const close = useCallback(() => setPanel('none'), []);

  const heading = bare ? (warm.data?.store.name ?? 'Store count') : 'Store count';

  return (
    <CountModelContext value={book}>
      <CursorContext value={cursor}>
        <div className={classes.page} data-bare={bare || undefined}>
          <div className={classes.top}>
            <div className={classes.titleLine}>
              <h1 className={bare ? 'sr-only' : textClasses.heading}>{heading}</h1>
              {actions && <div className={classes.actions}>{actions}</div>}
            </div>
            <Setup stores={stores} scope={scope} settings={settings} now={now} onChange={change} />
          </div>

          <Bar
            cursor={cursor}
            find={typed}
            box={box}
            mayCount={mayCount}
            closed={!warm.data || closed}
            finished={finished}
            again={finish.before}
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
            onUnlocked={finish.reopen}
          />
          {mayCount && <CloseGoods scope={scope} warm={warm.data} />}

          <div className={classes.work}>
            <div ref={list} className={classes.list}>
              <ItemList
                warm={warm}
                found={shown}
                blind={settings.blind}
                onOpen={open}
                onClear={clearSearch}
              />
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

        {asked && (
          <ReopenDialog
            finished={finishedState}
            onConfirm={() => {
              finish.reopen();
              setAsked(null);
              show(asked.id);
            }}
            onClose={() => setAsked(null)}
          />
        )}
        <Panels
          panel={panel}
          items={items ?? NO_ITEMS}
          settings={settings}
          scope={scope}
          onClose={close}
          onOpen={open}
          onFinished={(sent) => {
            finish.close();
            void state.refetch();
            done(sent ? 'Count finished' : 'Finished on this device');
            void outbox.flush();
          }}
        />
      </CursorContext>
    </CountModelContext>
  );
}

/** Goes to the field of a unit. */
function focusUnit(dock: HTMLElement | null, unit: string): void {
  const field = dock?.querySelector<HTMLInputElement>(`[data-unit="${CSS.escape(unit)}"]`);
  field?.focus({ preventScroll: true });
  field?.select();
}

interface PanelsProps {
  panel: Panel;
  items: readonly Item[];
  settings: Settings;
  scope: Scope;
  onClose(): void;
  onOpen(id: string): void;
  onFinished(sent: boolean): void;
}

/** What opens over the count: what waits to be sent, the scanner, the review. */
function Panels({ panel, items, settings, scope, onClose, onOpen, onFinished }: PanelsProps) {
  const book = useOpenCount();

  function goTo(id: string | undefined): void {
    onClose();
    if (id) onOpen(id);
  }

  function scanned(code: string): boolean {
    const item = itemByCode(book.items(), code);
    if (item) goTo(item.id);
    return item !== undefined;
  }

  switch (panel) {
    case 'waiting':
      return (
        <WaitingDrawer
          items={items}
          onClose={onClose}
          onCountAgain={(record) => goTo(record.entries[0]?.itemId)}
        />
      );
    case 'scan':
      return <Scan onCode={scanned} onClose={onClose} />;
    case 'review':
      return (
        <Review
          settings={settings}
          yesterday={addDays(scope.date, -1)}
          onClose={onClose}
          onOpen={goTo}
          onFinished={(sent) => {
            onClose();
            onFinished(sent);
          }}
        />
      );
    default:
      return null;
  }
}

interface ReopenProps {
  finished: CountState['finished'];
  onConfirm(): void;
  onClose(): void;
}

function ReopenDialog({ finished, onConfirm, onClose }: ReopenProps) {
  return (
    <Dialog
      opened
      title="Change a finished count?"
      confirm="Change count"
      keep="Leave it"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {finished
          ? `${nameOf(finished.by)} finished this count on ${moment(finished.at)}.`
          : 'This count was finished on this device.'}{' '}
        Your changes are saved as usual. Press “Finish again” when you are done.
      </p>
    </Dialog>
  );
}
