import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { documentApi } from '#/documents/api';
import { CutoffCountdown } from '#/documents/CutoffCountdown';
import { type Order, type OrderHead, type OrderLine, orderDef } from '#/documents/orders';
import { outsideShell } from '#/paths';
import { Dialog } from '#/ui/Dialog';
import { day, moment, plural, qty } from '#/ui/format';
import { useKept, useToday } from '../data';
import { KEY } from '../keys';
import { isPast, subjectOf } from '../orderSubject';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { AsOf, Unreadable } from '../StateOf';
import { useOpenStore } from '../store';
import type { PlacedOrder } from '../types';
import { stateOf } from './lists';
import classes from './Order.module.css';

const LIST = { to: `${outsideShell.branchOps}/order`, label: 'Order' };

/** One order of the store: what was asked, what comes and why less, and what can still be done. */
export function OrderOne() {
  const { id = '' } = useParams();
  const { store } = useOpenStore();
  const today = useToday(store.id);
  const order = useKept({
    name: ['order', id],
    ask: (signal): Promise<Order> =>
      request('GET', '/api/stores/orders/{id}', { path: { id }, signal }),
  });
  const placed = today.data?.placed?.find((one) => one.id === id);
  if (order.data) return <Shown order={order.data} keptAt={order.data.keptAt} placed={placed} />;
  return (
    <Screen title="Order" back={LIST}>
      {order.error ? (
        <Unreadable error={order.error} retry={() => void order.refetch()} />
      ) : (
        <output className={screen.loading}>Loading…</output>
      )}
    </Screen>
  );
}

interface ShownProps {
  order: Order;
  keptAt: string;
  /** As the store's day lists it; missing for one settled long ago. */
  placed: PlacedOrder | undefined;
}

function Shown({ order, keptAt, placed }: ShownProps) {
  const now = Date.now();
  const { label, waiting } = stateOf({
    deliveries: [],
    ...placed,
    status: order.status,
  } as PlacedOrder);
  const over = isPast({ past: placed?.past ?? false, cutoffAt: order.cutoffAt }, now);
  const waits = order.status === 'submitted';
  const step = (order.can as readonly string[]).find(
    (one) => one === 'reopen' || (one === 'withdraw' && (!over || Boolean(order.urgentReason))),
  );
  const cut = order.lines.filter(isCut).length;
  return (
    <Screen
      title={order.orderNo}
      back={LIST}
      text={`${placed?.sourceName ?? 'Kitchen'}, for ${day(order.neededDate)}`}
      dock={
        order.status === 'draft' ? (
          <Button fullWidth component={Link} to={entryOf(order)} replace>
            Go on with this draft
          </Button>
        ) : (
          step && <BackToDraft order={order} step={step} />
        )
      }
    >
      <AsOf at={keptAt} />
      <p className={screen.notice} data-tone={order.status === 'rejected' ? 'danger' : 'neutral'}>
        <strong>{label}</strong>
        {waiting && `: ${waiting}`}
        {order.status === 'rejected' && order.rejectReason && `. «${order.rejectReason}»`}
      </p>
      {order.urgentReason && <p className={screen.notice}>Urgent: {order.urgentReason}</p>}
      {waits && over && !order.urgentReason && (
        <p className={screen.notice}>
          The cut-off has passed, so it can no longer be changed here. Head office can still reject
          it.
        </p>
      )}
      {cut > 0 && (
        <p className={screen.notice}>
          Head office gives less than asked of {plural(cut, 'item')}: see below why.
        </p>
      )}
      {waits && order.cutoffAt && (
        <div className={classes.countdown}>
          <CutoffCountdown at={order.cutoffAt} />
        </div>
      )}
      <dl className={classes.facts}>
        {order.submittedAt && (
          <>
            <dt>Submitted</dt>
            <dd>
              {moment(order.submittedAt)}
              {order.submittedBy && `, ${order.submittedBy.name}`}
            </dd>
          </>
        )}
        {order.approvedAt && (
          <>
            <dt>Approved</dt>
            <dd>
              {moment(order.approvedAt)}
              {order.approvedBy && `, ${order.approvedBy.name}`}
            </dd>
          </>
        )}
        {placed?.deliveries.map(({ deliveryNo, status }) => (
          <Delivery key={deliveryNo} number={deliveryNo} status={status} />
        ))}
        {order.notes && (
          <>
            <dt>Notes</dt>
            <dd>{order.notes}</dd>
          </>
        )}
      </dl>
      <h2 className={screen.heading}>{plural(order.lines.length, 'item')}</h2>
      <ul className={classes.rows} aria-label="Items">
        {order.lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
    </Screen>
  );
}

const DELIVERY: Readonly<Record<string, string>> = {
  draft: 'not picked yet',
  picking: 'being packed',
  packed: 'packed',
  dispatched: 'on its way',
  partiallyReceived: 'partially received',
  received: 'received',
  reconciled: 'received',
};

function Delivery({ number, status }: { number: string; status: string }) {
  return (
    <>
      <dt>Delivery</dt>
      <dd>
        {number}, {DELIVERY[status] ?? status}
      </dd>
    </>
  );
}

const isCut = ({ qtyApproved, qtyOrdered }: OrderLine) =>
  qtyApproved != null && qtyApproved < qtyOrdered;

function Line({ line }: { line: OrderLine }) {
  const { qtyOrdered, qtyApproved, qtyDispatched, qtyReceived, qtyShortClosed, uomCode } = line;
  const figures = [
    `${qty(qtyOrdered)} ${uomCode} asked`,
    qtyApproved != null && qtyApproved !== qtyOrdered && `${qty(qtyApproved)} approved`,
    qtyDispatched > 0 && `${qty(qtyDispatched)} sent`,
    qtyReceived > 0 && `${qty(qtyReceived)} received`,
    qtyShortClosed > 0 && `${qty(qtyShortClosed)} will not be sent`,
  ].filter(Boolean);
  return (
    <li className={classes.row}>
      <span className={classes.name}>
        <strong>{line.name}</strong>
        <span>{figures.join(', ')}</span>
        {line.reason && <span className={classes.reason}>{line.reason}</span>}
      </span>
      <span className={classes.much} data-cut={isCut(line) || undefined}>
        {qty(qtyApproved ?? qtyOrdered)} <small>{uomCode}</small>
      </span>
    </li>
  );
}

const entryOf = (order: Order) => `${LIST.to}/${encodeURIComponent(subjectOf(order))}`;

/** Makes the order a draft again, and opens its form. */
function BackToDraft({ order, step }: { order: Order; step: string }) {
  const navigate = useNavigate();
  const { store } = useOpenStore();
  const today = useToday(store.id);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function take(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const api = documentApi<OrderHead, Order>(orderDef.base);
      await api.step(order.id, step, order.revision);
      // The list has to know the draft before its form opens.
      await Promise.all([
        queries.invalidateQueries({ queryKey: [...KEY, 'order', order.id] }),
        today.refetch(),
      ]);
      void navigate(entryOf(order), { replace: true });
    } catch (error) {
      setProblem(Problem.of(error));
      setBusy(false);
    }
  }

  const label = step === 'reopen' ? 'Open it again' : 'Take it back to change it';
  return (
    <>
      <Button fullWidth variant="default" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <Dialog
          opened
          title={label}
          keep="Leave it as it is"
          confirm={label}
          busy={busy}
          onConfirm={() => void take()}
          onClose={() => {
            setAsking(false);
            setProblem(null);
          }}
        >
          <p>It becomes a draft again. Send it once more, or nothing will come.</p>
          {problem && (
            <p className={screen.notice} data-tone="danger" role="alert">
              {problem.message}
            </p>
          )}
        </Dialog>
      )}
    </>
  );
}
