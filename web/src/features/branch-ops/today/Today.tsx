import { Button, NativeSelect } from '@mantine/core';
import {
  IconAlertTriangle,
  IconChevronRight,
  IconClipboardCheck,
  IconPackageImport,
  IconShoppingCart,
  IconTrash,
  IconTrendingUp,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { queries } from '#/api/queries';
import { can, useMe } from '#/api/session';
import { CutoffCountdown } from '#/documents/CutoffCountdown';
import { orderDef } from '#/documents/orders';
import { outsideShell, queryString } from '#/paths';
import type { Recall } from '#/stock/api';
import { RecallAnswers } from '#/stock/RecallPlaces';
import { liesThere, WRITES_OFF } from '#/stock/writeOff';
import { day, moment, money, plural, qty, shortDay } from '#/ui/format';
import textClasses from '#/ui/Text.module.css';
import { CloseCard } from '../CloseCard';
import { useComing } from '../coming';
import { useStoreRecalls, useToday } from '../data';
import { KEY } from '../keys';
import { isPast, subjectOf } from '../orderSubject';
import screen from '../Screen.module.css';
import { AsOf, Unreadable } from '../StateOf';
import { storeLabel, useOpenStore } from '../store';
import type { BranchToday, Kept, OrderDue } from '../types';
import { Tiles } from './Tiles';
import classes from './Today.module.css';
import { countTitle, salesTitle } from './titles';

const HOME = outsideShell.branchOps;

/** The store's tasks now, and the available actions. */
export function Today() {
  const me = useMe();
  const { store, stores, choose } = useOpenStore();
  const today = useToday(store.id);
  return (
    <main className={screen.main}>
      <div className={classes.who}>
        <h1 className={textClasses.heading}>{me.user.name}</h1>
        <p className={screen.sub}>{me.user.superAdmin ? 'Super admin' : me.user.roleName}</p>
      </div>
      {stores.length === 1 ? (
        <p className={classes.store}>{storeLabel(store)}</p>
      ) : (
        <NativeSelect
          label="Store"
          value={store.id}
          onChange={(event) => choose(event.currentTarget.value)}
          data={stores.map((one) => ({ value: one.id, label: storeLabel(one) }))}
          classNames={{ root: classes.choose, input: classes.chooseInput }}
        />
      )}
      <section aria-labelledby="branch-today">
        <h2 id="branch-today" className={screen.heading}>
          Today
        </h2>
        {today.data ? (
          <>
            <AsOf at={today.data.keptAt} />
            <Recalled storeId={store.id} />
            <CloseCard storeId={store.id} />
            <Waits today={today.data} />
          </>
        ) : today.error ? (
          <Unreadable error={today.error} retry={() => void today.refetch()} />
        ) : (
          <output className={screen.loading}>Loading…</output>
        )}
      </section>
      <Tiles />
    </main>
  );
}

/** Recalled lots in or on the way to the store, each with its answers and a link to write it off. */
function Recalled({ storeId }: { storeId: string }) {
  const me = useMe();
  const items = useStoreRecalls(storeId).data?.items ?? [];
  if (items.length === 0) return null;
  const leadsTo = (one: Recall) =>
    can(me, ...WRITES_OFF) && liesThere(one)
      ? `${HOME}/waste${queryString({ product: one.productId, lot: one.lot })}`
      : null;
  return (
    <ul className={screen.list} aria-label="Recalled">
      {items.map((one) => (
        <Card
          key={`${one.productId} ${one.lot} ${one.placeKind} ${one.placeName}`}
          icon={<IconAlertTriangle size={24} stroke={1.6} aria-hidden />}
          tone="danger"
          to={null}
          title={`Recalled: ${one.name}, lot ${one.lot}`}
        >
          <span>
            {[
              one.reason && `${one.reason}.`,
              one.placeKind === 'store'
                ? `Take it off the shelf: probably ${qty(one.qty)} ${one.uomCode ?? ''}, at most ${qty(one.atMost)}.`
                : 'It is on its way: do not take it in.',
            ]
              .filter(Boolean)
              .join(' ')}
          </span>
          <span className={screen.buttons}>
            <WriteOff to={leadsTo(one)} />
            <RecallAnswers
              recall={one}
              size="md"
              onAnswered={() => void queries.invalidateQueries({ queryKey: [...KEY, 'recalls'] })}
            />
          </span>
        </Card>
      ))}
    </ul>
  );
}

function WriteOff({ to }: { to: string | null }) {
  if (!to) return null;
  return (
    <Button component={Link} to={to} size="md" h={44}>
      Write it off
    </Button>
  );
}

function Waits({ today }: { today: Kept<BranchToday> }) {
  const me = useMe();
  const { open } = useComing(today.storeId);
  const mayReceive = can(me, 'stores/storeReceive', 'create');
  const mayOrder = can(me, 'stores/storeOrders', 'create');
  const mayCount = can(me, 'stores/storeCount') && can(me, 'apps/storeCount');
  const late = open.filter((one) => one.late).length;
  const orders = today.orders.filter(({ status }) => !status || status === 'draft');
  const placed = today.placed ?? [];
  const unsent = placed.filter((one) => one.status === 'draft' && isPast(one, Date.now()));
  const rejected = placed.filter(({ status }) => status === 'rejected');
  const { waste, sales } = today;
  return (
    <ul className={screen.list}>
      <CountCard today={today} may={mayCount} />
      {open.length > 0 && (
        <Card
          icon={<IconPackageImport size={24} stroke={1.6} aria-hidden />}
          tone={late > 0 ? 'danger' : 'brand'}
          to={mayReceive ? `${HOME}/receive` : null}
          title={`${plural(open.length, 'delivery', 'deliveries')} on the way`}
        >
          {late > 0 && <span data-tone="danger">{late} late</span>}
          <span>{open.map(({ number }) => number).join(', ')}</span>
        </Card>
      )}
      {unsent.map((order) => (
        <Card
          key={order.id}
          icon={<IconShoppingCart size={24} stroke={1.6} aria-hidden />}
          tone="danger"
          to={mayOrder ? `${HOME}/order/${encodeURIComponent(subjectOf(order))}` : null}
          title={`${order.orderNo} was not sent`}
        >
          <span data-tone="danger">
            For {day(order.neededDate)}: the cut-off has passed. It can be moved to the next truck.
          </span>
        </Card>
      ))}
      {rejected.map((order) => (
        <Card
          key={order.id}
          icon={<IconShoppingCart size={24} stroke={1.6} aria-hidden />}
          tone="danger"
          to={mayOrder ? `${HOME}/order/one/${encodeURIComponent(order.id)}` : null}
          title={`${order.orderNo} was rejected`}
        >
          <span>For {day(order.neededDate)}</span>
        </Card>
      ))}
      {orders.map((order) => (
        <Card
          key={`${order.sourceType}:${order.sourceId}`}
          icon={<IconShoppingCart size={24} stroke={1.6} aria-hidden />}
          tone="brand"
          to={mayOrder ? `${HOME}/order/${encodeURIComponent(subjectOf(order))}` : null}
          title={`Order from ${order.sourceName ?? 'the kitchen'}`}
        >
          <span>
            For {day(order.neededDate)}
            {order.status ? `, ${stateOf(order)}` : ''}
          </span>
          {order.cutoffAt && <CutoffCountdown at={order.cutoffAt} />}
        </Card>
      ))}
      {waste.drafts + waste.waiting > 0 && (
        <Card
          icon={<IconTrash size={24} stroke={1.6} aria-hidden />}
          tone="warn"
          to={null}
          title="Waste not posted yet"
        >
          <span>
            {[
              waste.drafts > 0 && plural(waste.drafts, 'draft'),
              waste.waiting > 0 && `${waste.waiting} waiting for approval`,
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        </Card>
      )}
      <Card
        icon={<IconTrendingUp size={24} stroke={1.6} aria-hidden />}
        tone="brand"
        to={`${HOME}/sales`}
        title={salesTitle(today)}
      >
        {sales.upTo ? (
          <span>
            {money(sales.net)}, {qty(sales.sold)} sold. As of {moment(sales.upTo).split(', ')[1]}
          </span>
        ) : (
          <span>Nothing came in yet for {shortDay(today.date)}</span>
        )}
        {sales.lastWeek != null && <span>Same day last week: {money(sales.lastWeek)}</span>}
      </Card>
    </ul>
  );
}

function stateOf({ status }: OrderDue): string {
  return orderDef.states[status ?? '']?.label.toLowerCase() ?? '';
}

function CountCard({ today, may }: { today: BranchToday; may: boolean }) {
  const { due, window, from, to, counted, toCount, finished } = today.count;
  const at = (time: string) => moment(time).split(', ')[1];
  const when =
    window === 'before'
      ? `From ${at(from)} to ${at(to)}`
      : window === 'open'
        ? `Until ${at(to)}`
        : '';
  return (
    <Card
      icon={<IconClipboardCheck size={24} stroke={1.6} aria-hidden />}
      tone={finished ? 'ok' : due ? 'warn' : 'neutral'}
      to={may ? `${outsideShell.storeCount}?store=${encodeURIComponent(today.storeId)}` : null}
      title={countTitle(today)}
    >
      <span>
        {[`${counted} of ${toCount} counted`, !finished && when].filter(Boolean).join('. ')}
      </span>
    </Card>
  );
}

interface CardProps {
  icon: ReactNode;
  tone: string;
  title: string;
  /** The link; null if the user may not open it. */
  to: string | null;
  children: ReactNode;
}

function Card({ icon, tone, title, to, children }: CardProps) {
  const inside = (
    <>
      {icon}
      <span className={screen.words}>
        <strong>{title}</strong>
        {children}
      </span>
      {to && <IconChevronRight size={20} stroke={1.6} aria-hidden />}
    </>
  );
  return (
    <li>
      {to ? (
        <Link to={to} className={screen.card} data-tone={tone}>
          {inside}
        </Link>
      ) : (
        <div className={screen.card} data-tone={tone}>
          {inside}
        </div>
      )}
    </li>
  );
}
