import { useMemo } from 'react';
import { Chart } from '#/charts/Chart';
import { Plot } from '#/charts/Plot';
import { plural, short, signedMoney, signedQty } from '#/ui/format';
import { usePhone } from '#/ui/usePhone';
import type { OnHand } from './api';

const MOST = 14;
const MOST_ON_PHONE = 6;
const HEIGHT = 150;
/** Names on a phone are slanted. */
const HEIGHT_ON_PHONE = 190;

/** The largest variances of the last counts, by value. */
export function VarianceChart({ items }: { items: readonly OnHand[] }) {
  const phone = usePhone();
  const led = useMemo(
    () =>
      items
        .filter(({ varianceValue }) => varianceValue)
        .toSorted((a, b) => Math.abs(b.varianceValue ?? 0) - Math.abs(a.varianceValue ?? 0))
        .slice(0, phone ? MOST_ON_PHONE : MOST),
    [items, phone],
  );
  if (led.length === 0) return null;
  const worst = led[0];
  return (
    <Chart
      title="Largest differences at the last counts, ₱"
      summary={`${plural(led.length, 'item differs', 'items differ')} most from what was expected; first ${worst?.name} by ${signedMoney(worst?.varianceValue)}.`}
      height={phone ? HEIGHT_ON_PHONE : HEIGHT}
    >
      <Plot
        kind="bar"
        points={led.map(({ id, name, variance, uomCode }) => ({
          key: id,
          label: name,
          title: `${name}: ${signedQty(variance)} ${uomCode ?? ''}`,
        }))}
        series={[
          {
            id: 'value',
            label: 'Variance',
            values: led.map(({ varianceValue }) => varianceValue ?? null),
            mark: 0,
          },
        ]}
        format={signedMoney}
        short={short}
      />
    </Chart>
  );
}
