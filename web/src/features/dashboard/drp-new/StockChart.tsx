import { Chart } from '#/charts/Chart';
import { Legend } from '#/charts/Legend';
import { Plot } from '#/charts/Plot';
import { day, qty, short, shortDay } from '#/ui/format';
import { round } from './labels';
import type { PhasedGrid } from './wire';

/** Projected stock by day if the plan is followed, and safety stock. */
export function StockChart({ grid, height = 190 }: { grid: PhasedGrid; height?: number }) {
  const lowest = grid.onHand.reduce((least, value) => Math.min(least, value), Infinity);
  const outAt = grid.onHand.findIndex((value) => value < 0);
  const unit = grid.unit ?? '';
  const series = [
    { id: 'stock', label: 'On hand', values: grid.onHand.map((value) => round(value)), mark: 0 },
    {
      id: 'safety',
      label: 'Safety stock',
      values: grid.dates.map(() => round(grid.safetyStock)),
      mark: 1,
    },
    {
      id: 'arrives',
      label: 'Arrives',
      values: grid.dates.map((_, i) => {
        const arrives = (grid.scheduled[i] ?? 0) + (grid.receipts[i] ?? 0);
        return arrives > 0 ? round(arrives) : null;
      }),
      mark: 2,
      dots: true,
    },
  ];
  return (
    <Chart
      title={unit ? `Stock to come, ${unit}` : 'Stock to come'}
      summary={
        outAt >= 0
          ? `Runs out on ${day(grid.dates[outAt])}.`
          : `Lowest at ${qty(round(lowest))} ${unit}; nothing runs out.`
      }
      legend={<Legend kind="line" series={series} />}
      height={height}
    >
      <Plot
        kind="line"
        points={grid.dates.map((date) => ({ key: date, label: shortDay(date), title: day(date) }))}
        series={series}
        format={(value) => `${qty(round(value))} ${unit}`.trim()}
        short={short}
      />
    </Chart>
  );
}

/** Projected stock by day up to the next delivery, without the suggested order and with it. */
export function OrderChart({ grid, height = 190 }: { grid: PhasedGrid; height?: number }) {
  const unit = grid.unit ?? '';
  const next = grid.nextDate ? grid.dates.indexOf(grid.nextDate) : -1;
  const dates = next > 0 ? grid.dates.slice(0, next) : grid.dates;
  const of = (values: readonly number[]) => dates.map((_, i) => round(values[i] ?? 0));
  const series = [
    { id: 'with', label: 'With this order', values: of(grid.withOrder), mark: 0 },
    { id: 'without', label: 'Without it', values: of(grid.withoutOrder), mark: 1 },
    {
      id: 'arrives',
      label: 'Arrives',
      values: dates.map((_, i) => {
        const arrives = grid.scheduled[i] ?? 0;
        return arrives > 0 ? round(arrives) : null;
      }),
      mark: 2,
      dots: true,
    },
  ];
  return (
    <Chart
      title={unit ? `Stock until the next delivery, ${unit}` : 'Stock until the next delivery'}
      summary={grid.outlook ?? ''}
      legend={<Legend kind="line" series={series} />}
      height={height}
    >
      <Plot
        kind="line"
        points={dates.map((date) => ({ key: date, label: shortDay(date), title: day(date) }))}
        series={series}
        format={(value) => `${qty(round(value))} ${unit}`.trim()}
        short={short}
      />
    </Chart>
  );
}
