import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Chart } from '#/charts/Chart';
import { Plot } from '#/charts/Plot';
import { day, qty, short, shortDay } from '#/ui/format';
import { KEY, type Product, productsApi } from '../api';
import { useUnitName } from '../names';
import { dailyBalances } from './balances';

/** How many movements to load for the chart. */
const MAX_MOVEMENTS = 1000;

/** The quantity on hand day by day; renders nothing without movements. */
export function StockChart({ product, height = 190 }: { product: Product; height?: number }) {
  const base = useUnitName()(product.baseUom);
  const { data } = useQuery({
    queryKey: [...KEY, 'movements', product.id, 'course'],
    queryFn: ({ signal }) =>
      productsApi.movements(product.id, { page: 1, pageSize: MAX_MOVEMENTS }, signal),
  });
  const balances = useMemo(
    () =>
      data ? dailyBalances(data.items, product.quantity, data.items.length === data.total) : [],
    [data, product.quantity],
  );
  const first = balances[0];
  const last = balances.at(-1);
  if (!first || !last) return null;
  return (
    <Chart
      title={`On hand${base && `, ${base}`}`}
      height={height}
      summary={`From ${day(first.day)} to ${day(last.day)} the stock went from ${qty(first.qty)} to ${qty(last.qty)} ${base}.`}
    >
      <Plot
        kind="line"
        points={balances.map(({ day: at }) => ({ key: at, label: shortDay(at), title: day(at) }))}
        series={[
          { id: 'qty', label: 'On hand', mark: 0, values: balances.map(({ qty: value }) => value) },
        ]}
        format={(value) => `${qty(value)} ${base}`.trim()}
        short={short}
      />
    </Chart>
  );
}
