import { Select, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCalendarStats } from '@tabler/icons-react';
import { useNameOf, useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural, qty, shortDay } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StoreChoice, useMyStores } from '#/ui/StoreChoice';
import { usePhased } from './api';
import classes from './Drp.module.css';
import { round } from './labels';
import { StockChart } from './StockChart';
import type { PhasedGrid } from './wire';

const ROWS: readonly { key: keyof PhasedGrid & string; label: string; title: string }[] = [
  {
    key: 'gross',
    label: 'Needed',
    title: 'What is expected to be used, or what stores will order',
  },
  { key: 'scheduled', label: 'On its way', title: 'Sent or ordered already, and due that day' },
  { key: 'onHand', label: 'On hand', title: 'At the end of the day, if the plan is followed' },
  { key: 'net', label: 'Missing', title: 'What is short of the safety stock' },
  { key: 'receipts', label: 'Planned to arrive', title: 'Whole packs' },
  {
    key: 'releases',
    label: 'To be ordered',
    title: 'On the day orders close; without delivery days the lead days before',
  },
];

/** A product day by day: in a store, or in its commissary. */
export function ByDayTab({ state }: { state: TableState }) {
  const { stores } = useMyStores();
  const { data: products = [] } = useNames('products');
  const storeNames = useNameOf('stores');
  const { data: kitchens = [] } = useNames('commissaries');
  const inKitchen = state.get('place') === 'commissary';
  const storeId = state.get('store') || (stores[0]?.id ?? '');
  const commissaryId = state.get('commissary') || (kitchens[0]?.id ?? '');
  const productId = state.get('product');
  const query = usePhased(productId, inKitchen ? { commissaryId } : { storeId });
  const grid = query.data;

  return (
    <>
      <div className={`${classes.bar} no-print`}>
        <Select
          aria-label="Product"
          placeholder="Choose a product"
          data={products.map(({ id, name }) => ({ value: id, label: name }))}
          value={productId || null}
          onChange={(id) => id && state.set({ product: id })}
          searchable
          allowDeselect={false}
          limit={60}
          nothingFoundMessage="No such product"
          w={260}
        />
        <Segments
          label="Where"
          value={inKitchen ? 'commissary' : 'store'}
          options={[
            { value: 'store', label: 'Store' },
            { value: 'commissary', label: 'Commissary' },
          ]}
          onChange={(next) => state.set({ place: next === 'store' ? null : next })}
        />
        {inKitchen ? (
          <Select
            aria-label="Commissary"
            data={kitchens.map(({ id, name }) => ({ value: id, label: name }))}
            value={commissaryId || null}
            onChange={(id) => id && state.set({ commissary: id })}
            allowDeselect={false}
            w={220}
          />
        ) : (
          <StoreChoice value={storeId} onChange={(id) => state.set({ store: id })} />
        )}
      </div>
      {!productId ? (
        <EmptyState
          icon={IconCalendarStats}
          title="Choose a product"
          text="Its stock, what it needs and what should be ordered show here, day by day."
        />
      ) : query.error && !grid ? (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          title="This product could not be planned by day"
          text={Problem.of(query.error).message}
        />
      ) : !grid ? (
        <Skeleton className={classes.fillFrame} radius="md" />
      ) : (
        <div className={classes.scroll}>
          {grid.pastDue.length > 0 && (
            <p className={classes.notice} data-tone="danger" role="alert">
              Too late:{' '}
              {grid.pastDue
                .map(
                  (one) =>
                    `${qty(round(one.qty))} ${grid.unit ?? ''} should have been ordered by ${day(one.date)}`,
                )
                .join('; ')}
              .
            </p>
          )}
          <StockChart grid={grid} height={230} />
          <section className={classes.gridFrame} aria-label="By day" tabIndex={0}>
            <table className={classes.phased}>
              <caption>
                Packs of {qty(round(grid.pack))} {grid.unit},{' '}
                {grid.deliveryDates ? 'by the delivery days' : plural(grid.leadDays, 'lead day')},
                safety stock {qty(round(grid.safetyStock))} {grid.unit}
              </caption>
              <thead>
                <tr>
                  <th scope="col">{grid.unit ?? ''}</th>
                  {grid.dates.map((date) => (
                    <th key={date} scope="col" title={day(date)}>
                      {shortDay(date)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {ROWS.map(({ key, label, title }) => (
                  <tr key={key} data-main={key === 'onHand' || undefined}>
                    <th scope="row" title={title}>
                      {label}
                    </th>
                    {(grid[key] as number[]).map((value, i) => (
                      <td
                        key={grid.dates[i]}
                        className="num"
                        data-zero={value === 0 || undefined}
                        data-negative={value < 0 || undefined}
                      >
                        {value === 0 && key !== 'onHand' ? '·' : qty(round(value, 1))}
                      </td>
                    ))}
                  </tr>
                ))}
                {grid.children.map(({ storeId: child, releases }) => (
                  <tr key={child} data-child>
                    <th scope="row">
                      <button
                        type="button"
                        onClick={() => state.set({ place: null, store: child }, true)}
                      >
                        {storeNames.get(child)?.name ?? ''}
                      </button>
                    </th>
                    {releases.map((value, i) => (
                      <td key={grid.dates[i]} className="num" data-zero={value === 0 || undefined}>
                        {value === 0 ? '·' : qty(round(value, 1))}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </div>
      )}
    </>
  );
}
