import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Problem } from '#/api/problem';
import { isUnreachable, useMe } from '#/api/session';
import { documentApi } from '#/documents/api';
import { type Order, type OrderHead, orderDef } from '#/documents/orders';
import { UrgentDialog } from '#/documents/UrgentDialog';
import { shortDay } from '#/ui/format';
import { useToday } from '../data';
import { readDraft, replaceDraft } from '../drafts';
import { subjectOf } from '../orderSubject';
import { placeOf } from '../reopen';
import screen from '../Screen.module.css';
import type { OrderDue } from '../types';
import { addedTo, type OrderForm, type OrderRow } from './form';

interface Props {
  storeId: string;
  form: OrderForm;
  /** The draft it continues; empty without one. */
  orderId: string;
  rows: readonly OrderRow[];
  /** The next delivery of the source; null if none is planned. */
  next: OrderDue | null;
  busy: boolean;
  /** Called once the form is kept under its new day. */
  onMoved(): Promise<void>;
  onUrgent(reason: string): void;
}

/** What can be done with an order past its cut-off: the next truck, or an urgent order. */
export function LateOrder(props: Props) {
  const { storeId, form, orderId, rows, next, busy } = props;
  const { uid } = useMe().user;
  const navigate = useNavigate();
  const today = useToday(storeId);
  const [moving, setMoving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const ordered = rows.filter(({ qty }) => qty > 0).length;
  const joins = next?.status === 'draft';
  const api = documentApi<OrderHead, Order>(orderDef.base);

  /** Moves the draft at the server; null without one that can be moved. */
  async function moveDraft(to: OrderDue): Promise<string | null> {
    if (!orderId || joins) return null;
    try {
      const { status, revision } = await api.get(orderId);
      if (status !== 'draft') return null;
      await api.update(orderId, revision, { neededDate: to.neededDate, urgentReason: '' });
    } catch (error) {
      // Without a connection its form moves, and the draft when that is sent.
      if (!isUnreachable(error)) throw error;
    }
    return orderId;
  }

  /** The draft that became part of another one. */
  async function drop(into: OrderDue): Promise<void> {
    if (!orderId || !joins) return;
    const { status, revision } = await api.get(orderId);
    if (status !== 'draft') return;
    await api.step(orderId, 'cancel', revision, { reason: `Added to ${into.orderNo}` });
  }

  async function move(to: OrderDue): Promise<void> {
    setMoving(true);
    setProblem(null);
    try {
      const draftId = await moveDraft(to);
      const { path, draft } = placeOf({ kind: 'order', storeId, subject: subjectOf(to) });
      const begun = await readDraft<OrderForm>(uid, draft);
      const saved = joins && to.orderId ? (await api.get(to.orderId)).lines : [];
      const own = rows.map(({ item, uomId }) => ({
        productId: item.productId,
        uomId,
        qtyOrdered: 0,
      }));
      const lines =
        joins || begun
          ? { ...begun?.lines, ...addedTo(rows, draftId ? own : saved, begun?.lines) }
          : form.lines;
      const notes = form.notes ?? begun?.notes;
      const op = crypto.randomUUID();
      const moved: OrderForm = { op, draftId, lines, ...(notes !== undefined && { notes }) };
      if (!(await replaceDraft(uid, draft, moved))) {
        throw new Problem(0, 'full', 'This device is full: free some room and try again.');
      }
      // Where it cannot be cancelled it stays in the list; its lines are safe in the form.
      await drop(to).catch(() => undefined);
      await props.onMoved();
      await today.refetch();
      void navigate(path, { replace: true });
    } catch (error) {
      setProblem(Problem.of(error));
      setMoving(false);
    }
  }

  return (
    <>
      {problem && (
        <p className={screen.dockFault} role="alert">
          {problem.message}
        </p>
      )}
      <div className={screen.stack}>
        {next && (
          <Button fullWidth loading={moving} disabled={busy} onClick={() => void move(next)}>
            {joins
              ? `Add to the order for ${shortDay(next.neededDate)}`
              : `Move to the next truck, ${shortDay(next.neededDate)}`}
          </Button>
        )}
        <Button
          fullWidth
          variant="default"
          loading={busy}
          disabled={moving || ordered === 0}
          onClick={() => setAsking(true)}
        >
          Ask for an urgent order
        </Button>
      </div>
      {asking && (
        <UrgentDialog
          busy={busy}
          reason={reason}
          onReason={setReason}
          onAsk={() => {
            setAsking(false);
            props.onUrgent(reason.trim());
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
