import { SegmentedControl } from '@mantine/core';
import { IconReceiptOff } from '@tabler/icons-react';
import { useState } from 'react';
import { today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { change, count, moment, money, qty } from '#/ui/format';
import { useSales } from '../data';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { AsOf, Unreadable } from '../StateOf';
import { useOpenStore } from '../store';
import type { BranchSales, Kept } from '../types';
import classes from './Sales.module.css';

/** The store's sales today, as imported so far. */
export function Sales() {
  const { store } = useOpenStore();
  const sales = useSales(store.id, today());
  return (
    <Screen title="Sales today">
      {sales.data ? (
        <Figures sales={sales.data} />
      ) : sales.error ? (
        <Unreadable error={sales.error} retry={() => void sales.refetch()} />
      ) : (
        <output className={screen.loading}>Loading…</output>
      )}
    </Screen>
  );
}

function Figures({ sales }: { sales: Kept<BranchSales> }) {
  const [by, setBy] = useState<'items' | 'categories'>('items');
  const { net, sold, lastWeek, upTo } = sales;
  if (!upTo) {
    return (
      <EmptyState
        icon={IconReceiptOff}
        title="No sales came in yet today"
        text={
          lastWeek == null
            ? 'They show here once the till’s figures are in.'
            : `They show here once the till’s figures are in. The same day last week came to ${money(lastWeek)}.`
        }
      />
    );
  }
  const parts = sales[by];
  const most = Math.max(...parts.map((part) => part.net), 1);
  return (
    <>
      <AsOf at={sales.keptAt} />
      <dl className={classes.sums}>
        <div>
          <dt>Net sales</dt>
          <dd>{money(net)}</dd>
        </div>
        <div>
          <dt>Sold</dt>
          <dd>{qty(sold)}</dd>
        </div>
        <div>
          <dt>Same day last week</dt>
          <dd>{money(lastWeek)}</dd>
        </div>
        <div>
          <dt>Change</dt>
          <dd>{lastWeek ? change((net - lastWeek) / lastWeek) : '–'}</dd>
        </div>
      </dl>
      <p className={screen.sub}>Figures up to {moment(upTo)}</p>
      <SegmentedControl
        fullWidth
        size="md"
        className={classes.by}
        aria-label="Shown by"
        value={by}
        onChange={(value) => setBy(value as 'items' | 'categories')}
        data={[
          { value: 'items', label: 'By item' },
          { value: 'categories', label: 'By category' },
        ]}
      />
      <ul className={classes.parts}>
        {parts.map((part) => (
          <li key={part.name}>
            <span className={classes.name}>{part.name}</span>
            <span className={classes.net}>{money(part.net)}</span>
            <span className={classes.bar} aria-hidden>
              <span style={{ width: `${Math.max(0, (part.net / most) * 100)}%` }} />
            </span>
            <span className={classes.qty}>{qty(part.qty)}</span>
          </li>
        ))}
        {by === 'items' && sales.more ? (
          <li>
            <span className={classes.name}>
              {sales.more.count === 1 ? '1 more item' : `${count(sales.more.count)} more items`}
            </span>
            <span className={classes.net}>{money(sales.more.net)}</span>
            <span className={classes.qty}>{qty(sales.more.qty)}</span>
          </li>
        ) : null}
      </ul>
    </>
  );
}
