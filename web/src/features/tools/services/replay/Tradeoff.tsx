import { Chart } from '#/charts/Chart';
import charts from '#/charts/charts.module.css';
import { REST } from '#/charts/marks';
import { type Dot, Scatter } from '#/charts/Scatter';
import { scaleOf } from '#/charts/scale';
import type { TableState } from '#/table/useTableState';
import { count, percent, short } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import type { Policy, Result } from './api';
import { actualOf, levelOf, pesos, replayedLabel, shareLabel, verdictLabel } from './labels';

/** Policies that differ only in service level share a curve. */
const kindOf = ({ method, leadDays, reviewDays, packs }: Policy): string =>
  JSON.stringify([method ?? null, leadDays ?? null, reviewDays ?? null, packs !== false]);

/** Stock against stock-outs, one point per policy. */
export function Tradeoff({ result, state }: { result: Result; state: TableState }) {
  const byService = state.get('axis') === 'service';
  const actual = actualOf(result);
  const at = (policy: Policy): number => (byService ? (policy.fillRate ?? 0) : policy.outDays);
  const shown = result.policies.flatMap((policy, i) =>
    byService && policy.fillRate == null ? [] : [{ policy, id: String(i) }],
  );
  const kinds = [
    ...new Set(shown.flatMap(({ policy }) => (policy.actual ? [] : [kindOf(policy)]))),
  ];
  const dots = shown.map(({ policy, id }): Dot => {
    const lines = [
      { label: 'Average stock', value: pesos(policy.averageStockAmount) },
      { label: 'Days out of stock', value: count(policy.outDays) },
      { label: 'Service level', value: percent(policy.fillRate) },
    ];
    const aim = { label: 'Aims at', value: shareLabel(levelOf(policy)) };
    return {
      id,
      label: policy.name,
      x: policy.averageStockAmount,
      y: at(policy),
      mark: policy.actual ? REST : kinds.indexOf(kindOf(policy)),
      lines: policy.actual ? lines : [...lines, aim],
    };
  });
  const curves = kinds
    .map((kind) =>
      shown
        .filter(({ policy }) => !policy.actual && kindOf(policy) === kind)
        .toSorted((a, b) => levelOf(a.policy) - levelOf(b.policy))
        .map(({ id }) => id),
    )
    .filter((ids) => ids.length > 1);
  const summary = [verdictLabel(result).words, ...result.policies.map(replayedLabel)].join(' ');
  const x = scaleOf(
    dots.map((dot) => dot.x),
    6,
    { least: 0 },
  );
  const y = scaleOf(
    dots.map((dot) => dot.y),
    5,
    byService ? { least: 0, most: 1 } : { least: 0, whole: true },
  );
  const places = y.to - y.from < 0.05 ? 1 : 0;
  return (
    <Chart
      title={
        byService
          ? 'Average stock against service level'
          : 'Average stock against days out of stock'
      }
      summary={summary}
      height={360}
      legend={
        actual && (
          <ul className={charts.keys}>
            <li>
              <i className={charts.keyOfArea} aria-hidden />
              {byService ? 'Better service' : 'Fewer days out'} at no more stock than was really
              there
            </li>
          </ul>
        )
      }
      aside={
        <Segments
          label="Against"
          value={byService ? 'service' : 'days'}
          options={[
            { value: 'days', label: 'Days out of stock' },
            { value: 'service', label: 'Service level' },
          ]}
          onChange={(next) => state.set({ axis: next === 'service' ? next : null })}
        />
      }
    >
      <Scatter
        label={summary}
        dots={dots}
        curves={curves}
        x={{ name: 'Average stock, ₱', scale: x, short }}
        y={{
          name: byService ? 'Service level' : 'Days out of stock, all items and stores',
          scale: y,
          short: byService ? (value) => percent(value, places) : count,
        }}
        against={
          actual && {
            id: String(result.policies.indexOf(actual)),
            better: byService ? 'above' : 'below',
          }
        }
      />
    </Chart>
  );
}
