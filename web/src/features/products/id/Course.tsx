import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Chart } from '#/charts/Chart';
import { Plot } from '#/charts/Plot';
import { day, qty, short, shortDay } from '#/ui/format';
import { KEY, type Product, productsApi } from '../api';
import { useUnitName } from '../names';
import { dailyBalances } from './balances';

/** Enough to draw its course; the tab of movements has them all. */
const DRAWN = 1000;

/** How much there was, day by day; nothing until something has moved. */
export function Course({ product, height = 190 }: { product: Product; height?: number }) {
  const base = useUnitName()(product.baseUom);
  const { data } = useQuery({
    queryKey: [...KEY, 'movements', product.id, 'course'],
    queryFn: ({ signal }) =>
      productsApi.movements(product.id, { page: 1, pageSize: DRAWN }, signal),
  });
  const course = useMemo(
    () =>
      data ? dailyBalances(data.items, product.quantity, data.items.length === data.total) : [],
    [data, product.quantity],
  );
  const first = course[0];
  const last = course.at(-1);
  if (!first || !last) return null;
  return (
    <Chart
      title={`On hand${base && `, ${base}`}`}
      height={height}
      summary={`From ${day(first.day)} to ${day(last.day)} the stock went from ${qty(first.qty)} to ${qty(last.qty)} ${base}.`}
    >
      <Plot
        kind="line"
        points={course.map(({ day: at }) => ({ key: at, label: shortDay(at), title: day(at) }))}
        series={[
          { id: 'qty', label: 'On hand', mark: 0, values: course.map(({ qty: value }) => value) },
        ]}
        format={(value) => `${qty(value)} ${base}`.trim()}
        short={short}
      />
    </Chart>
  );
}
