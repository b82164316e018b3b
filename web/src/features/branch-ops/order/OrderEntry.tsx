import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconCalendarOff, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { scannedLine } from '#/api/barcodes';
import { request } from '#/api/client';
import { useMe } from '#/api/session';
import { CutoffCountdown } from '#/documents/CutoffCountdown';
import { useBarcodes } from '#/offline/barcodes';
import { outsideShell } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { day, moment, money, plural } from '#/ui/format';
import { sum } from '#/ui/sums';
import { unknownCode } from '#/ui/unknownCode';
import { useScanner } from '#/ui/useScanner';
import { useKept, useToday } from '../data';
import { useDraft } from '../drafts';
import { subjectOf } from '../orderSubject';
import { queueRecord } from '../queue';
import { placeOf } from '../reopen';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { NotSaved, Unreadable } from '../StateOf';
import { useOpenStore } from '../store';
import type { OrderDue } from '../types';
import {
  emptyOrder,
  type OrderRow,
  orderRecord,
  proposed,
  rowsOf,
  stillTaken,
  withoutSuggestions,
  withSuggestions,
} from './form';
import { LateOrder } from './LateOrder';
import { foundFor } from './lists';
import classes from './Order.module.css';
import { Row, Suggestions } from './Rows';

const LIST = { to: `${outsideShell.branchOps}/order`, label: 'Order' };

/** An order to one source for one day. Past its cut-off it can be moved to the next truck, or be urgent. */
export function OrderEntry() {
  const { source = '' } = useParams();
  const { store } = useOpenStore();
  const today = useToday(store.id);
  const found = today.data && foundFor(today.data, source, Date.now());
  if (found) {
    const { due, past, next, sentNo } = found;
    const subject = subjectOf(due);
    return (
      <Entry
        key={`${store.id} ${subject}`}
        storeId={store.id}
        due={due}
        late={past ? { next } : null}
        sentNo={sentNo}
      />
    );
  }
  return (
    <Screen title="Order" back={LIST}>
      {today.isPending ? (
        <output className={screen.loading}>Loading…</output>
      ) : (
        <EmptyState
          icon={IconCalendarOff}
          title="Nothing can be ordered here now"
          text="The order was sent already, or no delivery is planned."
        />
      )}
    </Screen>
  );
}

type Shown = 'suggested' | 'all' | 'ordered';

interface EntryProps {
  storeId: string;
  due: OrderDue;
  /** Set past the cut-off, with the next delivery of the source. */
  late: { next: OrderDue | null } | null;
  /** The order that was sent for the day already. */
  sentNo: string | null;
}

function Entry({ storeId, due, late, sentNo }: EntryProps) {
  const { uid } = useMe().user;
  const navigate = useNavigate();
  const subject = subjectOf(due);
  const draft = useDraft(
    placeOf({ kind: 'order', storeId, subject }).draft,
    emptyOrder,
    // Kept before forms had a day: it was for the next delivery.
    late
      ? undefined
      : placeOf({ kind: 'order', storeId, subject: subjectOf({ ...due, neededDate: null }) }).draft,
  );
  const { value: form, set } = draft;
  const savedId = form.draftId ?? due.orderId ?? '';
  const guide = useKept({
    name: ['guide', storeId, savedId],
    ask: (signal) =>
      request('GET', '/api/stores/orders/guide', {
        query: { storeId, orderId: savedId || undefined },
        signal,
      }),
  });
  const saved = useKept({
    name: ['order', savedId],
    ask: (signal) => request('GET', '/api/stores/orders/{id}', { path: { id: savedId }, signal }),
    enabled: savedId !== '',
  });
  const [shown, setShown] = useState<Shown>('all');
  const [wanted, setWanted] = useState('');
  const [busy, setBusy] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  const rows = useMemo(
    () => rowsOf(guide.data?.items ?? [], form, saved.data),
    [guide.data, form, saved.data],
  );
  const ordered = rows.filter((row) => row.qty > 0);
  const faulty = rows.filter(({ fault }) => fault).length;
  const open = proposed(rows);
  const taken = stillTaken(form);
  const amount = sum(
    ordered.map((row) => {
      const price = row.item.units.find(({ uomId }) => uomId === row.uomId)?.price ?? 0;
      return row.qty * price;
    }),
  );
  // Lines saved in the office are part of it: omitting them would remove them.
  const whole = savedId === '' || saved.data !== undefined;
  const error = guide.data ? (whole ? null : saved.error) : guide.error;
  const ready = draft.ready && guide.data !== undefined && whole;
  const words = wanted.trim().toLowerCase();
  const visible = rows.filter(
    ({ item, qty: much, fault, suggested }) =>
      (!words || `${item.name} ${item.sku ?? ''}`.toLowerCase().includes(words)) &&
      (shown === 'all' || (shown === 'ordered' ? much > 0 || fault : (suggested ?? 0) > 0)),
  );

  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [scanned, setScanned] = useState<{ productId: string } | null>(null);
  const barcodes = useBarcodes();
  useScanner((code) => {
    const found = scannedLine(rows.map(scannable), code, barcodes);
    if (!found) {
      unknownCode(code, { label: 'Find it by name', open: () => search.current?.focus() });
      return;
    }
    setWanted('');
    setShown('all');
    setScanned({ productId: found.productId });
  });
  // After a filter that hid the row is emptied.
  useEffect(() => {
    const row = scanned && `[data-product="${CSS.escape(scanned.productId)}"]`;
    if (row) list.current?.querySelector<HTMLInputElement>(`${row} input`)?.focus();
  }, [scanned]);

  const type = (id: string, text: string) =>
    set((now) => ({ ...now, lines: { ...now.lines, [id]: text } }));

  async function submit(urgentReason?: string): Promise<void> {
    if (faulty > 0) return setShown('ordered');
    setBusy(true);
    const place = await queueRecord(
      orderRecord({ uid, storeId, due, rows, form, at: new Date(), urgentReason }),
    );
    setBusy(false);
    if (place === 'nowhere') return setUnsaved(true);
    await draft.clear();
    void navigate(LIST.to, { replace: true });
  }

  return (
    <Screen
      title={due.sourceName ?? 'Order'}
      back={LIST}
      text={`For ${day(due.neededDate)}${due.orderNo ? `, continues draft ${due.orderNo}` : ''}`}
      dock={
        ready && (
          <div>
            {faulty > 0 && (
              <p className={screen.dockFault} role="alert">
                {plural(faulty, 'item')} to look at.
              </p>
            )}
            {late ? (
              <LateOrder
                storeId={storeId}
                form={form}
                orderId={savedId}
                rows={rows}
                next={late.next}
                busy={busy}
                onMoved={draft.clear}
                onUrgent={(reason) => void submit(reason)}
              />
            ) : (
              <Button
                fullWidth
                loading={busy}
                disabled={ordered.length === 0}
                onClick={() => void submit()}
              >
                {ordered.length === 0
                  ? 'Nothing ordered yet'
                  : `Submit ${plural(ordered.length, 'item')}, ${money(amount)}`}
              </Button>
            )}
          </div>
        )
      }
    >
      {(unsaved || !draft.safe) && <NotSaved />}
      {sentNo && (
        <p className={screen.notice} role="status">
          {sentNo} was sent for this day. What is ordered here comes on top of it.
        </p>
      )}
      {late && (
        <p className={screen.notice} data-tone="danger" role="status">
          {due.cutoffAt
            ? `The cut-off was ${moment(due.cutoffAt)}: this order was not sent.`
            : `It is too late to order for ${day(due.neededDate)}: this order was not sent.`}{' '}
          Everything in it is kept. Move it to the next truck, or ask for an urgent order.
        </p>
      )}
      {!late && due.cutoffAt && (
        <div className={classes.cutoff}>
          <CutoffCountdown at={due.cutoffAt} />
        </div>
      )}
      {error ? (
        <Unreadable
          error={error}
          retry={() => {
            void guide.refetch();
            if (savedId) void saved.refetch();
          }}
        />
      ) : ready ? (
        <>
          <TextInput
            ref={search}
            size="lg"
            type="search"
            aria-label="Find an item"
            placeholder="Find an item"
            leftSection={<IconSearch size={20} stroke={1.7} aria-hidden />}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <SegmentedControl
            fullWidth
            size="md"
            className={classes.shown}
            aria-label="Shown"
            value={shown}
            onChange={(value) => setShown(value as Shown)}
            data={[
              { value: 'all', label: 'All' },
              { value: 'suggested', label: 'Suggested' },
              { value: 'ordered', label: `Ordered ${ordered.length}` },
            ]}
          />
          <Suggestions
            open={open.length}
            taken={taken.length}
            onTake={() => set((now) => withSuggestions(now, rows))}
            onUndo={() => set(withoutSuggestions)}
          />
          <ul className={classes.rows} aria-label="Items" ref={list}>
            {visible.map((row) => (
              <Row key={row.item.productId} row={row} onType={type} />
            ))}
          </ul>
          <TextInput
            size="md"
            label="Notes"
            maxLength={2000}
            value={form.notes ?? saved.data?.notes ?? ''}
            onChange={({ currentTarget: { value: notes } }) => set((now) => ({ ...now, notes }))}
          />
          {visible.length === 0 && (
            <EmptyState
              compact
              icon={IconSearch}
              title={shown === 'ordered' && !words ? 'Nothing ordered yet' : 'No such item'}
            />
          )}
        </>
      ) : (
        <output className={screen.loading}>Loading…</output>
      )}
    </Screen>
  );
}

const scannable = ({ item, uomId }: OrderRow) => ({
  productId: item.productId,
  uomId,
  sku: item.sku,
});
