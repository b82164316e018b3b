import { IconBuildingWarehouse } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Chart } from '#/charts/Chart';
import { Plot } from '#/charts/Plot';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { day, moment, qty, short, shortDay } from '#/ui/format';
import { KEY, type PlaceStock, type Product, productsApi } from '../api';
import { useUnitName } from '../names';
import { counts, kindOf, placeName } from '../places';
import { dailyBalances } from './balances';

type Places = Parameters<typeof clientSource<PlaceStock>>[0];

/** Enough to draw its course; the tab of movements has them all. */
const DRAWN = 1000;

/** Where it lies, and how it came to that. */
export function StockTab({ product }: { product: Product }) {
  const state = useTableState();
  const base = useUnitName()(product.baseUom);
  const stock = useQuery({
    queryKey: [...KEY, 'stock', product.id],
    queryFn: ({ signal }) => productsApi.stock(product.id, signal),
  });
  const movements = useQuery({
    queryKey: [...KEY, 'movements', product.id, 'course'],
    queryFn: ({ signal }) =>
      productsApi.movements(product.id, { page: 1, pageSize: DRAWN }, signal),
  });

  const course = useMemo(() => {
    if (!movements.data || !stock.data) return [];
    const { items, total } = movements.data;
    return dailyBalances(items, stock.data.quantity, items.length === total);
  }, [movements.data, stock.data]);

  const columns = useMemo<Column<PlaceStock>[]>(
    () => [
      { id: 'place', label: 'Place', value: placeName, primary: true },
      {
        id: 'kind',
        label: 'Kind',
        value: ({ placeKind }) => kindOf(placeKind),
        width: 150,
        phone: 'sub',
      },
      {
        id: 'qty',
        label: base ? `On hand (${base})` : 'On hand',
        value: (place) => place.qty,
        number: qty,
        width: 160,
        phone: 'end',
      },
      {
        id: 'lastMovedAt',
        label: 'Last moved',
        value: ({ lastMovedAt }) => lastMovedAt,
        cell: ({ lastMovedAt }) => moment(lastMovedAt),
        width: 180,
        muted: true,
        phone: 'sub',
      },
    ],
    [base],
  );

  const first = course[0];
  const last = course.at(-1);
  return (
    <>
      {first && last && (
        <Chart
          title={`On hand${base && `, ${base}`}`}
          height={190}
          summary={`From ${day(first.day)} to ${day(last.day)} the stock went from ${qty(first.qty)} to ${qty(last.qty)} ${base}.`}
        >
          <Plot
            kind="line"
            points={course.map(({ day: at }) => ({
              key: at,
              label: shortDay(at),
              title: day(at),
            }))}
            series={[
              {
                id: 'qty',
                label: 'On hand',
                mark: 0,
                values: course.map(({ qty: value }) => value),
              },
            ]}
            format={(value) => `${qty(value)} ${base}`.trim()}
            short={short}
          />
        </Chart>
      )}
      <DataTable<PlaceStock>
        bare
        plain
        id="product-stock"
        title="Stock by place"
        one="place"
        many="places"
        icon={IconBuildingWarehouse}
        source={clientSource({ ...stock, data: stock.data?.places } as Places)}
        columns={columns}
        rowId={({ placeKind, placeId }) => `${placeKind}:${placeId}`}
        rowLabel={placeName}
        state={state}
        faded={({ placeKind }) => !counts(placeKind)}
        empty={{
          title: 'Nothing in stock yet',
          text: 'Adjust the quantity, or receive a delivery; every movement is kept.',
        }}
      />
    </>
  );
}
