import { Button, CloseButton, Select } from '@mantine/core';
import { IconSearchOff, IconShare3 } from '@tabler/icons-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { DataTable } from '#/table/DataTable';
import { FilterBox, Toolbar } from '#/table/Toolbar';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { qty } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { sum } from '#/ui/sums';
import { usePhone } from '#/ui/usePhone';
import { useSearchKey } from '#/ui/useSearchKey';
import type { Orders } from '../kitchenOrders';
import { Board } from './Board';
import { FIGURES, Short } from './columns';
import { narrow, type Row, seen, storagesOf } from './figures';
import classes from './Orders.module.css';
import { ProductDrawer } from './ProductDrawer';
import own from './Sharing.module.css';
import { SharingBar } from './SharingBar';
import { StoreDrawer } from './StoreDrawer';
import { explain, type Shares } from './sharing';
import type { Sharing } from './useSharing';

interface Props {
  orders: Orders;
  rows: readonly Row[];
  sharing: Sharing;
  state: TableState;
  stale: boolean;
}

/** Ordered quantities by store and product, stock, and sharing it out. */
export function OrdersTab({ orders, rows, sharing, state, stale }: Props) {
  const phone = usePhone();
  const box = useRef<HTMLInputElement>(null);
  useSearchKey(box);
  const onlyShort = state.get('only') === 'short';
  const storage = state.get('storage');
  const [at, setAt] = useState<{ product: string; store: string } | null>(null);
  const storages = useMemo(() => storagesOf(rows).filter(Boolean), [rows]);
  const { shares, on } = sharing.typing;
  /** While sharing, what stock does not cover; else what is missing after all production. */
  const isShort = useCallback(
    (row: Row) => {
      const product = on ? shares.products.get(row.id) : undefined;
      return product ? product.given < product.wanted : row.short > 0;
    },
    [on, shares],
  );
  const shown = useMemo(
    () => narrow(rows, { q: state.q, storage }).filter((row) => !onlyShort || isShort(row)),
    [rows, state.q, onlyShort, storage, isShort],
  );
  const short = rows.filter(isShort).length;
  const cards = useMemo(() => (on ? [...CARDS, sharedCard(shares)] : CARDS), [on, shares]);
  const { set } = state;
  const setQ = useCallback((q: string) => set({ q }), [set]);
  const onProduct = useCallback((row: Row) => set({ product: row.id }), [set]);
  const onStore = useCallback((store: string) => set({ store }), [set]);
  const onCell = useCallback(
    (row: Row | null, store: string) => setAt(row ? { product: row.id, store } : null),
    [],
  );
  const clear = () => set({ q: null, only: null, storage: null });
  const product = rows.find(({ id }) => id === state.get('product'));
  const store = orders.stores.find(({ storeId }) => storeId === state.get('store'));
  const row = at && rows.find(({ id }) => id === at.product);
  const cell = at && row?.cells.get(at.store);
  const named = at && orders.stores.find(({ storeId }) => storeId === at.store)?.name;

  return (
    <>
      <div className="no-print">
        <Toolbar
          left={
            <>
              <FilterBox
                box={box}
                value={state.q}
                wait={40}
                placeholder="Find a product"
                onChange={setQ}
              />
              {storages.length > 1 && (
                <Select
                  aria-label="Storage"
                  placeholder="All storage"
                  size="xs"
                  className={classes.storage}
                  clearable
                  clearButtonProps={{ 'aria-label': 'All storage' }}
                  data={storages}
                  value={storage || null}
                  onChange={(next) => set({ storage: next })}
                />
              )}
              <Segments
                label="Which"
                value={onlyShort ? 'short' : ''}
                options={[
                  { value: '', label: `All ${rows.length}` },
                  { value: 'short', label: `Only short ${short}` },
                ]}
                onChange={(next) => set({ only: next || null })}
              />
            </>
          }
          right={
            sharing.may &&
            !sharing.on && (
              <Button
                size="xs"
                className={classes.act}
                leftSection={<IconShare3 size={16} aria-hidden />}
                onClick={sharing.begin}
              >
                Share what there is
              </Button>
            )
          }
        />
      </div>
      {sharing.on && <SharingBar sharing={sharing} orders={orders} rows={rows} />}
      {!sharing.on && sharing.told.length > 0 && (
        <section className={own.told} role="status" aria-label="What sharing did">
          <ul>
            {sharing.told.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
          <CloseButton
            className="no-print"
            aria-label="Close what sharing did"
            onClick={sharing.forget}
          />
        </section>
      )}
      {shown.length === 0 ? (
        <EmptyState
          icon={IconSearchOff}
          title={onlyShort && short === 0 ? 'Nothing is short' : 'No products match'}
          text={
            onlyShort && short === 0
              ? 'What there is and what is being made covers every order.'
              : 'Check the spelling or clear the filter.'
          }
          action={
            <Button variant="default" onClick={clear}>
              Show all products
            </Button>
          }
        />
      ) : phone ? (
        <>
          {on && <p className={classes.explained}>Open a product to change its shares.</p>}
          <DataTable<Row>
            bare
            plain
            id="kitchen-orders"
            title="Products"
            one="product"
            many="products"
            source={{
              rows: shown,
              total: shown.length,
              pending: false,
              error: null,
              retry: () => {},
              remote: false,
            }}
            columns={cards}
            rowId={({ id }) => id}
            rowLabel={({ name }) => name}
            state={{ ...state, q: '' }}
            onOpen={onProduct}
          />
        </>
      ) : (
        <div className={classes.frame}>
          <Board
            orders={orders}
            rows={shown}
            typing={sharing.typing}
            state={state}
            stale={stale || sharing.pending}
            isShort={isShort}
            onProduct={onProduct}
            onStore={onStore}
            onCell={onCell}
          />
        </div>
      )}
      {sharing.on && !phone && (
        <p className={`${classes.explained} no-print`}>
          {row && cell && named ? (
            <>
              <b>
                {row.name}, {named}
              </b>{' '}
              {explain(row, cell, sharing.typing.shares, sharing.method)}
            </>
          ) : (
            'Type over any share. Enter and arrows move, Esc gives back what was worked out, 12*2 is worked out.'
          )}
        </p>
      )}
      {product && (
        <ProductDrawer
          row={product}
          orders={orders}
          sharing={sharing}
          onStore={(store) => set({ product: null, store })}
          onClose={() => set({ product: null })}
        />
      )}
      {store && <StoreDrawer store={store} rows={rows} onClose={() => set({ store: null })} />}
    </>
  );
}

const figure = (id: (typeof FIGURES)[number]['id']) =>
  FIGURES.find((one) => one.id === id) ?? FIGURES[0];
const ORDERED = figure('ordered');
const TO_SEND = figure('toSend');
const COVERED = figure('covered');
const ON_HAND = figure('onHand');
const INCOMING = figure('incoming');
const SHORT = figure('short');
const TO_PRODUCE = figure('toProduce');

/** While sharing on a phone: what all stores get of a product. Its shares are typed where it is opened. */
const sharedCard = ({ cells }: Shares): Column<Row> => ({
  id: 'shared',
  label: 'Shared',
  value: (row) => {
    const of = [...row.cells.values()].flatMap(({ key }) => cells.get(key) ?? []);
    const all = (read: (share: (typeof of)[number]) => number) => seen(sum(of.map(read)));
    return `shared: ${qty(all(({ share }) => share))} of ${qty(all(({ wanted }) => wanted))}`;
  },
  phone: 'sub',
});

/** A product on a phone: its shortage, and below its name what that consists of. */
const CARDS: readonly Column<Row>[] = [
  { id: 'name', label: 'Product', primary: true, value: ({ name }) => name },
  {
    id: 'ordered',
    label: ORDERED.label,
    value: (row) => `${qty(ORDERED.value(row))} ordered`,
    phone: 'sub',
  },
  {
    id: 'toSend',
    label: TO_SEND.label,
    value: (row) => `${qty(TO_SEND.value(row))} to send, ${qty(COVERED.value(row))} covered`,
    phone: 'sub',
  },
  {
    id: 'onHand',
    label: ON_HAND.label,
    value: (row) => `${qty(ON_HAND.value(row))} on hand`,
    phone: 'sub',
  },
  {
    id: 'more',
    label: 'Incoming and to produce',
    value: (row) =>
      [INCOMING, TO_PRODUCE]
        .flatMap(({ label, value }) =>
          value(row) > 0 ? [`${qty(value(row))} ${label.toLowerCase()}`] : [],
        )
        .join(', '),
    phone: 'sub',
  },
  {
    id: 'short',
    label: SHORT.label,
    value: SHORT.value,
    number: qty,
    cell: (row) => (
      <>
        <Short value={SHORT.value(row)} /> {row.uomCode}
      </>
    ),
    phone: 'end',
  },
];
