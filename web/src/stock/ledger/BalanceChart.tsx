import { useMemo, useState } from 'react';
import { Chart } from '#/charts/Chart';
import { Legend } from '#/charts/Legend';
import { Plot } from '#/charts/Plot';
import type { Series } from '#/charts/types';
import { day, plural, qty, short } from '#/ui/format';
import type { Ledger } from './api';
import { pointsOf } from './labels';

const HEIGHT = 190;

/** The balance day by day, with counted and expected quantities. */
export function BalanceChart({ ledger }: { ledger: Ledger }) {
  const [lit, setLit] = useState<string | null>(null);
  const { points, series } = useMemo(() => {
    const { days, balance, counted, expected } = pointsOf(ledger);
    const all: Series[] = [
      { id: 'balance', label: 'On hand', values: balance, mark: 0 },
      { id: 'expected', label: 'Expected', values: expected, mark: 1, dots: true },
      { id: 'counted', label: 'Counted', values: counted, mark: 2, dots: true },
    ];
    return {
      points: days,
      series: all.filter(({ values }) => values.some((value) => value !== null)),
    };
  }, [ledger]);
  if (series.length === 0) return null;
  const unit = ledger.item.uomCode ?? '';
  const counts = ledger.days.reduce((n, { counts }) => n + counts.length, 0);
  return (
    <Chart
      title="On hand by day"
      summary={`From ${qty(ledger.start)} ${unit} before ${day(ledger.from)} to ${qty(ledger.onHand)} ${unit} on ${day(ledger.to)}, with ${plural(counts, 'count')}.`}
      height={HEIGHT}
      legend={<Legend kind="line" series={series} lit={lit} onLight={setLit} />}
    >
      <Plot
        kind="line"
        points={points}
        series={series}
        lit={lit}
        format={(value) => `${qty(value)} ${unit}`.trim()}
        short={short}
      />
    </Chart>
  );
}
