import { Chart } from '#/charts/Chart';
import { type Dot, Scatter } from '#/charts/Scatter';
import { scaleOf } from '#/charts/scale';
import { ClearFocus } from '#/reports/Picture';
import { useShared } from '#/reports/useShared';
import { MEASURES, type Measure, type MeasureId, measureOf } from '../scoreMeasures';
import type { Told } from './page';
import classes from './page.module.css';

const ACROSS = 'perM2';
/** The measures on the other axis: the first one that most stores have. */
const UP: readonly MeasureId[] = ['ticket', 'perSeat', 'countCompliance', 'wasteShare'];

/** Stores by two measures, with the median of all as a cross. */
export function TwoMeasures({ state, answer, found }: Told) {
  const x = measureOf(state.get('x')) ?? measureOf(ACROSS);
  const many = (id: MeasureId) => found.filter((row) => row[id] != null).length;
  const up = UP.find((id) => many(id) * 2 > found.length) ?? 'ticket';
  const y = measureOf(state.get('y')) ?? measureOf(up);
  const note = useShared(state);
  if (!x || !y) return null;
  const all = answer.medians.find(({ of }) => of === 'all');
  const known = found.filter((row) => row[x.id] != null && row[y.id] != null);
  const dots: Dot[] = known.map((row) => ({
    id: row.id,
    label: row.name,
    x: row[x.id] ?? 0,
    y: row[y.id] ?? 0,
    mark: state.focus.includes(row.id) ? 1 : 0,
    lines: [x, y].map((one) => ({ label: one.name, value: one.full(row[one.id] ?? 0) })),
  }));
  const [mx, my] = [all?.[x.id], all?.[y.id]];
  if (mx != null && my != null && dots.length > 0) {
    dots.push({
      id: 'median',
      label: 'Median',
      x: mx,
      y: my,
      mark: 2,
      lines: [x, y].map((one) => ({ label: one.name, value: one.full(all?.[one.id] ?? 0) })),
    });
  }
  const axis = (measure: Measure, values: number[], steps: number) => ({
    name: measure.name,
    scale: scaleOf(values, steps, values.every((one) => one >= 0) ? { least: 0 } : {}),
    short: measure.onAxis,
  });
  const words = `${y.name} by ${x.name.toLowerCase()}`;
  return (
    <Chart
      title={words}
      summary={`${words}: ${known.map((row) => `${row.name} ${x.full(row[x.id] ?? 0)} and ${y.full(row[y.id] ?? 0)}`).join('; ')}.`}
      fill={state.view === 'chart'}
      height={280}
      share={{ title: words, note }}
      aside={
        <>
          <ClearFocus state={state} />
          <Choice label="Across" value={x} usual={ACROSS} set={(id) => state.set({ x: id })} />
          <Choice label="Up" value={y} usual={up} set={(id) => state.set({ y: id })} />
        </>
      }
    >
      {dots.length === 0 ? (
        <p className={classes.none}>No store has both figures.</p>
      ) : (
        <Scatter
          label={words}
          dots={dots}
          curves={[]}
          x={axis(
            x,
            dots.map((dot) => dot.x),
            6,
          )}
          y={axis(
            y,
            dots.map((dot) => dot.y),
            4,
          )}
        />
      )}
    </Chart>
  );
}

interface ChoiceProps {
  label: string;
  value: Measure;
  usual: string;
  set(id: string | null): void;
}

function Choice({ label, value, usual, set }: ChoiceProps) {
  return (
    <label className={classes.choice}>
      {label}
      <select
        value={value.id}
        onChange={({ target }) => set(target.value === usual ? null : target.value)}
      >
        {MEASURES.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
