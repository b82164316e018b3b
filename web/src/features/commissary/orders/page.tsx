import { ActionIcon, Button, Select, Skeleton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconChevronLeft,
  IconChevronRight,
  IconLock,
  IconPrinter,
  IconShoppingCart,
  IconToolsKitchen2,
} from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { LeaveGuard } from '#/form/LeaveGuard';
import { pages, to } from '#/paths';
import { useTableState } from '#/table/useTableState';
import { DateField } from '#/ui/DateField';
import { addDays, isDay, today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural } from '#/ui/format';
import { Page } from '#/ui/Page';
import { PageTabs } from '#/ui/PageTabs';
import { useOrders } from '../kitchenOrders';
import { useKitchen } from '../useKitchen';
import { DeliverTab } from './DeliverTab';
import { rowsOf } from './figures';
import { MakeTab } from './MakeTab';
import classes from './Orders.module.css';
import { OrdersTab } from './OrdersTab';
import { PickTab } from './PickTab';
import { ShortTab } from './ShortTab';
import { UrgentOrders } from './UrgentOrders';
import { useSharing } from './useSharing';

const TABS = [
  { value: 'orders', label: 'Orders' },
  { value: 'pick', label: 'Pick list' },
  { value: 'make', label: 'To produce' },
  { value: 'deliver', label: 'Make deliveries' },
  { value: 'short', label: 'Short' },
] as const;

const NONE = { products: [], cells: [] };

/** Orders to a kitchen for a day: shared out, picked, made and dispatched. */
export default function CommissaryOrdersPage() {
  const state = useTableState();
  const kitchen = useKitchen(state.get('commissaryId'));
  const asked = state.get('neededDate');
  const date = isDay(asked) ? asked : addDays(today(), 1);
  const query = useOrders(kitchen.id, date);
  const orders = query.data;
  const rows = useMemo(() => rowsOf(orders ?? NONE), [orders]);
  const sharing = useSharing({
    commissaryId: kitchen.id,
    neededDate: date,
    orders,
    rows,
    state,
  });
  const held = sharing.on && sharing.typing.model.dirty;
  const move = (next: string) => {
    if (isDay(next)) state.set({ neededDate: next, product: null, store: null });
  };
  const problem = kitchen.error ?? query.error;
  const known = kitchen.all.find(({ id }) => id === kitchen.id);

  const tab = TABS.find(({ value }) => value === state.get('tab'))?.value ?? 'orders';
  /** A tab with the same kitchen and day; sharing continues behind it. */
  const hrefOf = (value: string) =>
    to('commissaryOrders', null, {
      commissaryId: state.get('commissaryId'),
      neededDate: asked,
      tab: value === 'orders' ? '' : value,
      sharing: state.get('sharing'),
      incoming: state.get('incoming'),
    });

  const choices = (
    <div className={classes.head}>
      <Select
        aria-label="Commissary"
        leftSection={<IconToolsKitchen2 size={16} stroke={1.7} aria-hidden />}
        className={classes.kitchen}
        data={kitchen.all.map(({ id, name }) => ({ value: id, label: name }))}
        value={kitchen.id || null}
        onChange={(id) => {
          if (!id) return;
          kitchen.remember(id);
          state.set({ commissaryId: id, product: null, store: null });
        }}
        allowDeselect={false}
        disabled={held}
      />
      <div className={classes.day}>
        <ActionIcon
          variant="default"
          size={36}
          className={classes.square}
          aria-label="The day before"
          disabled={held}
          onClick={() => move(addDays(date, -1))}
        >
          <IconChevronLeft size={17} />
        </ActionIcon>
        <DateField
          className={classes.date}
          aria-label="Needed on"
          value={date}
          disabled={held}
          onChange={move}
        />
        <ActionIcon
          variant="default"
          size={36}
          className={classes.square}
          aria-label="The day after"
          disabled={held}
          onClick={() => move(addDays(date, 1))}
        >
          <IconChevronRight size={17} />
        </ActionIcon>
      </div>
      <ActionIcon
        variant="default"
        size={36}
        className={classes.square}
        aria-label="Print"
        title="Print"
        onClick={() => window.print()}
      >
        <IconPrinter size={17} />
      </ActionIcon>
    </div>
  );

  return (
    <Page
      fill
      title="Orders"
      aside={
        orders &&
        tab !== 'short' && (
          <>
            <span className={classes.onPaper}>
              {tab === 'orders' ? '' : `${TABS.find(({ value }) => value === tab)?.label}, `}
              {known?.name}, {day(date)}:{' '}
            </span>
            {plural(rows.length, 'product')}, {plural(orders.stores.length, 'store')}
          </>
        )
      }
      actions={tab !== 'short' && choices}
    >
      {content()}
      <LeaveGuard dirty={held} what="the shares" />
    </Page>
  );

  function tabs() {
    return (
      <div className="no-print">
        <PageTabs
          label="Orders"
          current={tab}
          tabs={TABS.map(({ value, label }) => ({ value, label, to: hrefOf(value) }))}
        />
      </div>
    );
  }

  function content(): ReactNode {
    // Of all kitchens and days.
    if (tab === 'short')
      return (
        <>
          {tabs()}
          <ShortTab state={state} />
        </>
      );
    if (kitchen.ready && kitchen.all.length === 0 && !problem) return <NoKitchen />;
    if (problem && !orders)
      return <Failed problem={Problem.of(problem)} retry={() => void query.refetch()} />;
    if (!orders) return <Skeleton className={classes.frame} radius="md" />;
    if (orders.stores.length === 0) return <Nothing date={date} move={move} />;
    return (
      <>
        {tabs()}
        <UrgentOrders stores={orders.stores} />
        {tab === 'pick' ? (
          <PickTab orders={orders} rows={rows} state={state} />
        ) : tab === 'make' ? (
          <MakeTab commissaryId={kitchen.id} neededDate={date} state={state} />
        ) : tab === 'deliver' ? (
          <DeliverTab orders={orders} rows={rows} state={state} />
        ) : (
          <OrdersTab
            orders={orders}
            rows={rows}
            sharing={sharing}
            state={state}
            stale={query.isPlaceholderData}
          />
        )}
      </>
    );
  }
}

function NoKitchen() {
  return (
    <EmptyState
      icon={IconToolsKitchen2}
      title="There is no commissary yet"
      text="Stores order of a commissary. Add the first one to the list."
      action={
        <Button component={Link} to={pages.listCommissaries.path} variant="default">
          Open commissaries
        </Button>
      }
    />
  );
}

function Nothing({ date, move }: { date: string; move(day: string): void }) {
  return (
    <EmptyState
      icon={IconShoppingCart}
      title={`No orders wait for ${day(date)}`}
      text="Submitted and approved orders show here until they are wholly sent."
      action={
        <Button variant="default" onClick={() => move(addDays(date, 1))}>
          Show {day(addDays(date, 1))}
        </Button>
      }
    />
  );
}

function Failed({ problem, retry }: { problem: Problem; retry(): void }) {
  if (problem.status === 403)
    return (
      <EmptyState
        icon={IconLock}
        role="alert"
        title="Not Authorized"
        text="You don't have access to the kitchen's orders. Your administrator can give it to you."
      />
    );
  return (
    <EmptyState
      icon={IconAlertTriangle}
      role="alert"
      title="The orders could not be loaded"
      text={problem.fields[0]?.message ?? problem.message}
      action={
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      }
    />
  );
}
