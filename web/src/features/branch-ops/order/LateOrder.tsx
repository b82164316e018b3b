import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Problem } from '#/api/problem';
import { isUnreachable, useMe } from '#/api/session';
import { documentApi } from '#/documents/api';
import { type Order, type OrderHead, orderDef } from '#/documents/orders';
import { Dialog } from '#/ui/Dialog';
import { shortDay } from '#/ui/format';
import { useToday } from '../data';
import { readDraft, replaceDraft } from '../drafts';
import { joined, placeOf } from '../reopen';
import screen from '../Screen.module.css';
import type { OrderDue } from '../types';
import type { OrderForm, OrderRow } from './form';
import { subjectOf } from './subject';

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

  async function move(to: OrderDue): Promise<void> {
    setMoving(true);
    setProblem(null);
    let draftId = joins ? null : orderId || null;
    if (draftId) {
      const api = documentApi<OrderHead, Order>(orderDef.base);
      try {
        const { status, revision } = await api.get(draftId);
        if (status === 'draft') {
          await api.update(draftId, revision, { neededDate: to.neededDate, urgentReason: '' });
        } else draftId = null;
      } catch (error) {
        // Without a connection the form moves, and its draft when it is sent.
        if (!isUnreachable(error)) {
          setMoving(false);
          return setProblem(Problem.of(error));
        }
      }
    }
    const { path, draft } = placeOf({ kind: 'order', storeId, subject: subjectOf(to) });
    const begun = await readDraft<OrderForm>(uid, draft);
    // Lines that are saved in another draft have to come along.
    const lines = joins
      ? Object.fromEntries(
          rows.filter(({ qty }) => qty > 0).map((row) => [row.item.productId, row.text]),
        )
      : form.lines;
    const moved = { ...joined({ ...form, lines }, begun), op: crypto.randomUUID(), draftId };
    if (await replaceDraft(uid, draft, moved)) await props.onMoved();
    await today.refetch();
    void navigate(path, { replace: true });
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
        <Dialog
          opened
          title="Ask for an urgent order"
          keep="Not now"
          confirm="Ask for it"
          busy={busy}
          disabled={reason.trim() === ''}
          onConfirm={() => {
            setAsking(false);
            props.onUrgent(reason.trim());
          }}
          onClose={() => setAsking(false)}
        >
          <p>Head office decides if it can still come. The kitchen sees why you ask.</p>
          <Textarea
            label="Why is it urgent?"
            required
            autosize
            minRows={2}
            maxLength={2000}
            value={reason}
            data-autofocus
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Dialog>
      )}
    </>
  );
}
