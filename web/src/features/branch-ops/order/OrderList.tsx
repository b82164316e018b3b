import { Button } from '@mantine/core';
import { IconCalendarOff, IconChevronRight, IconShoppingCart } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { CutoffCountdown } from '#/documents/CutoffCountdown';
import { orderDef } from '#/documents/orders';
import { outsideShell, to } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { day } from '#/ui/format';
import { useDraftNames, useToday } from '../data';
import { OnDevice, useOnDevice } from '../OnDevice';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { AsOf, Unreadable } from '../StateOf';
import { useOpenStore } from '../store';
import type { OrderDue } from '../types';
import { subjectOf } from './form';

/** The next order to each source of the store. */
export function OrderList() {
  const { store } = useOpenStore();
  const today = useToday(store.id);
  const here = useOnDevice('order', store.id);
  const begun = useDraftNames(`order:${store.id}:`);
  const navigate = useNavigate();
  const office = useCan('apps/backOffice');
  const busy = new Set([
    ...here.waiting.map(({ subject }) => subject),
    ...here.refused.map(({ record }) => record?.subject),
  ]);
  const orders = (today.data?.orders ?? []).filter((due) => !busy.has(subjectOf(due)));
  return (
    <Screen title="Order">
      <OnDevice {...here} done="Submitted" />
      {today.data ? (
        <>
          <AsOf at={today.data.keptAt} />
          <ul className={screen.list} aria-label="Next orders">
            {orders.map((due) => (
              <Due
                key={subjectOf(due)}
                due={due}
                begun={begun.includes(`order:${store.id}:${subjectOf(due)}`)}
              />
            ))}
          </ul>
          {today.data.orders.length === 0 && (
            <EmptyState
              icon={IconCalendarOff}
              title="No delivery days are set for this store"
              text="Orders are made here for the next delivery. The office sets the days."
              action={
                office && (
                  <Button
                    size="md"
                    variant="default"
                    onClick={() => void navigate(to('storesOrders'))}
                  >
                    Order in the back office
                  </Button>
                )
              }
            />
          )}
        </>
      ) : today.error ? (
        <Unreadable error={today.error} retry={() => void today.refetch()} />
      ) : (
        <output className={screen.loading}>Loading…</output>
      )}
    </Screen>
  );
}

function Due({ due, begun }: { due: OrderDue; begun: boolean }) {
  const { status, orderNo, cutoffAt } = due;
  const open = !status || status === 'draft';
  const words = orderDef.states[status ?? ''];
  const inside = (
    <>
      <IconShoppingCart size={24} stroke={1.6} aria-hidden />
      <span className={screen.words}>
        <strong>{due.sourceName ?? 'Kitchen'}</strong>
        <span>For {day(due.neededDate)}</span>
        {orderNo && words && (
          <span>
            {orderNo}: {words.label}
          </span>
        )}
        {begun && open && <span data-tone="warn">Begun on this device</span>}
        {open && cutoffAt && <CutoffCountdown at={cutoffAt} />}
      </span>
      {open && <IconChevronRight size={20} stroke={1.6} aria-hidden />}
    </>
  );
  return (
    <li>
      {open ? (
        <Link
          to={`${outsideShell.branchOps}/order/${encodeURIComponent(subjectOf(due))}`}
          className={screen.card}
          data-tone="brand"
        >
          {inside}
        </Link>
      ) : (
        <div className={screen.card} data-tone="ok">
          {inside}
        </div>
      )}
    </li>
  );
}
