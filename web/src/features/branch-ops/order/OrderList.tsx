import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCalendarOff,
  IconChevronRight,
  IconCircleCheck,
  IconReceipt,
  IconShoppingCart,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { CutoffCountdown } from '#/documents/CutoffCountdown';
import { outsideShell, to } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural, shortDay } from '#/ui/format';
import { useDraftNames, useToday } from '../data';
import { OnDevice, useOnDevice } from '../OnDevice';
import { readSubject, subjectOf, subjectWithDay } from '../orderSubject';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { AsOf, Unreadable } from '../StateOf';
import { useOpenStore } from '../store';
import type { BranchToday, PlacedOrder } from '../types';
import { listsOf, stateOf } from './lists';

const HOME = `${outsideShell.branchOps}/order`;

/** The orders of the store: the next ones, drafts, those past their cut-off, and those that were sent. */
export function OrderList() {
  const { store } = useOpenStore();
  const today = useToday(store.id);
  const here = useOnDevice('order', store.id);
  return (
    <Screen title="Order">
      <OnDevice {...here} done="Submitted" />
      {today.data ? (
        <>
          <AsOf at={today.data.keptAt} />
          <Lists
            storeId={store.id}
            today={today.data}
            busy={[
              ...here.waiting,
              ...here.refused.flatMap(({ record }) => (record ? [record] : [])),
            ].map(({ subject, body }) => subjectWithDay(subject ?? '', body))}
          />
        </>
      ) : today.error ? (
        <Unreadable error={today.error} retry={() => void today.refetch()} />
      ) : (
        <output className={screen.loading}>Loading…</output>
      )}
    </Screen>
  );
}

interface ListsProps {
  storeId: string;
  today: BranchToday;
  /** Subjects of orders that wait on this device. */
  busy: readonly string[];
}

function Lists({ storeId, today, busy }: ListsProps) {
  const prefix = `order:${storeId}:`;
  const forms = useDraftNames(prefix).map((name) => name.slice(prefix.length));
  const navigate = useNavigate();
  const office = useCan('apps/backOffice');
  const { next, more, drafts, past, begun, sent } = listsOf(
    today,
    forms,
    new Set(busy),
    Date.now(),
  );
  const isBegun = (subject: string) =>
    forms.includes(subject) ||
    forms.includes(subjectOf({ ...readSubject(subject), neededDate: null }));
  const late = past.length + begun.length;
  return (
    <>
      {late > 0 && (
        <Section title="Past the cut-off">
          {past.map((order) => (
            <OrderCard
              key={order.id}
              icon={<IconAlertTriangle size={24} stroke={1.6} aria-hidden />}
              tone="warn"
              path={subjectOf(order)}
              title={`${order.orderNo}, for ${shortDay(order.neededDate)}`}
            >
              <span>{order.sourceName ?? 'Kitchen'}</span>
              <span data-tone="warn">
                Draft with {plural(order.lineCount, 'item')}, not sent. Tap to send it.
              </span>
            </OrderCard>
          ))}
          {begun.map((one) => (
            <OrderCard
              key={one.subject}
              icon={<IconAlertTriangle size={24} stroke={1.6} aria-hidden />}
              tone="warn"
              path={one.subject}
              title={`For ${day(one.neededDate)}`}
            >
              <span>{one.sourceName ?? 'Kitchen'}</span>
              <span data-tone="warn">Begun on this device, not sent. Tap to send it.</span>
            </OrderCard>
          ))}
        </Section>
      )}
      {next.length + more.length + drafts.length > 0 && (
        <Section title="Next orders">
          {[...next, ...drafts].map((due) => (
            <OrderCard
              key={subjectOf(due)}
              icon={<IconShoppingCart size={24} stroke={1.6} aria-hidden />}
              tone="brand"
              path={subjectOf(due)}
              title={due.sourceName ?? 'Kitchen'}
            >
              <span>For {day(due.neededDate)}</span>
              {due.orderNo && <span>{due.orderNo}: Draft</span>}
              {isBegun(subjectOf(due)) && <span data-tone="warn">Begun on this device</span>}
              {due.cutoffAt && <CutoffCountdown at={due.cutoffAt} />}
            </OrderCard>
          ))}
          {more.map((due) => (
            <OrderCard
              key={subjectOf(due)}
              icon={<IconCircleCheck size={24} stroke={1.6} aria-hidden />}
              tone="ok"
              path={subjectOf(due)}
              title={due.sourceName ?? 'Kitchen'}
            >
              <span>For {day(due.neededDate)}: sent. Tap to order more.</span>
              {due.cutoffAt && <CutoffCountdown at={due.cutoffAt} />}
            </OrderCard>
          ))}
        </Section>
      )}
      {today.orders.length === 0 && (
        <EmptyState
          icon={IconCalendarOff}
          title="No delivery days are set for this store"
          text="Orders are made here for the next delivery. The office sets the days."
          action={
            office && (
              <Button size="md" variant="default" onClick={() => void navigate(to('storesOrders'))}>
                Order in the back office
              </Button>
            )
          }
        />
      )}
      {sent.length > 0 && (
        <Section title="Sent orders">
          {sent.map((order) => (
            <SentCard key={order.id} order={order} />
          ))}
        </Section>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={screen.heading}>{title}</h2>
      <ul className={screen.list} aria-label={title}>
        {children}
      </ul>
    </section>
  );
}

function SentCard({ order }: { order: PlacedOrder }) {
  const { label, tone, waiting } = stateOf(order);
  return (
    <OrderCard
      icon={<IconReceipt size={24} stroke={1.6} aria-hidden />}
      tone={tone}
      path={`one/${encodeURIComponent(order.id)}`}
      title={`${order.orderNo}, for ${shortDay(order.neededDate)}`}
    >
      <span>{order.sourceName ?? 'Kitchen'}</span>
      <span data-tone={tone === 'danger' || tone === 'warn' ? tone : undefined}>
        {[label, waiting].filter(Boolean).join(': ')}
      </span>
      {order.urgentReason && <span data-tone="warn">Urgent</span>}
      {order.cut > 0 && (
        <span data-tone="warn">Less than asked of {plural(order.cut, 'item')}</span>
      )}
    </OrderCard>
  );
}

interface CardProps {
  icon: ReactNode;
  tone: string;
  /** Below the list's own path. */
  path: string;
  title: string;
  children: ReactNode;
}

function OrderCard({ icon, tone, path, title, children }: CardProps) {
  const at = path.startsWith('one/') ? path : encodeURIComponent(path);
  return (
    <li>
      <Link to={`${HOME}/${at}`} className={screen.card} data-tone={tone}>
        {icon}
        <span className={screen.words}>
          <strong>{title}</strong>
          {children}
        </span>
        <IconChevronRight size={20} stroke={1.6} aria-hidden />
      </Link>
    </li>
  );
}
