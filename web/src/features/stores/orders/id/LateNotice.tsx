import { Button } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useStep } from '#/documents/api';
import classes from '#/documents/Document.module.css';
import { type Order, type OrderHead, orderDef } from '#/documents/orders';
import { UrgentDialog } from '#/documents/UrgentDialog';
import { today } from '#/ui/dates';
import { day, moment } from '#/ui/format';
import { useDeliveryDates, withWeekday } from '../NeededDate';

interface Props {
  order: Order;
  /** The next delivery that can be ordered for; undefined if none is known. */
  next: string | undefined;
  /** Saves what was typed with these fields of the head; resolves to null if it was refused. */
  onSave(fields: Record<string, unknown>): Promise<OrderHead | null>;
  onRefused(problem: Problem): void;
}

type Dated = Pick<Order, 'cutoffAt' | 'neededDate'>;

const hasPassed = ({ cutoffAt }: Dated, now: Date) =>
  cutoffAt != null && Date.parse(cutoffAt) <= now.getTime();

/** Whether the cut-off that an order was written with has passed, or its day. */
export const isLate = (order: Dated, now: Date) =>
  hasPassed(order, now) || order.neededDate < today(now);

/**
 * Whether a draft can no longer be sent for its day. The calendar of its source may have changed since it was written:
 * `next` is its next delivery that can be ordered for.
 */
export function isLateDraft(order: Dated, next: string | undefined, now: Date): boolean {
  return next === undefined ? isLate(order, now) : order.neededDate < next;
}

/** The next delivery that can be ordered for; undefined without a calendar. */
export function useNextTruck({ storeId, sourceType, sourceId }: Order): string | undefined {
  const { data } = useDeliveryDates(storeId ?? '', sourceType ?? '', sourceId ?? '');
  return data?.rule ? data.dates.find(({ open }) => open)?.date : undefined;
}

/** What can be done with a draft past its cut-off: the next truck, or an urgent order. */
export function LateNotice({ order, next, onSave, onRefused }: Props) {
  const take = useStep<OrderHead, OrderHead>(orderDef);
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState(order.urgentReason ?? '');
  const [busy, setBusy] = useState<'move' | 'ask' | null>(null);
  const now = new Date();

  async function move(to: string): Promise<void> {
    setBusy('move');
    await onSave({ neededDate: to, urgentReason: '' });
    setBusy(null);
  }

  async function ask(): Promise<void> {
    setAsking(false);
    setBusy('ask');
    const day = order.neededDate < today(now) ? { neededDate: today(now) } : {};
    const saved = await onSave({ urgentReason: reason.trim(), ...day });
    try {
      if (saved) await take.mutateAsync({ document: saved, step: 'submit' });
    } catch (error) {
      onRefused(Problem.of(error));
    }
    setBusy(null);
  }

  return (
    <div className={classes.notice} data-tone="danger" role="status">
      <p>
        {order.cutoffAt && hasPassed(order, now)
          ? `The cut-off was ${moment(order.cutoffAt)}: this order was not sent.`
          : `It is too late to order for ${day(order.neededDate)}: this order was not sent.`}{' '}
        Move it to the next truck, or ask for an urgent order.
      </p>
      <div className={classes.choices}>
        {next && (
          <Button
            size="xs"
            loading={busy === 'move'}
            disabled={busy !== null}
            onClick={() => void move(next)}
          >
            Move to the next truck, {withWeekday(next)}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          loading={busy === 'ask'}
          disabled={busy !== null}
          onClick={() => setAsking(true)}
        >
          Ask for an urgent order
        </Button>
      </div>
      {asking && (
        <UrgentDialog
          reason={reason}
          onReason={setReason}
          onAsk={() => void ask()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
