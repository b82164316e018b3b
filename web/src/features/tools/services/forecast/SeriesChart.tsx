import { useMemo, useState } from 'react';
import { Chart, type View, ViewSwitch } from '#/charts/Chart';
import charts from '#/charts/charts.module.css';
import { Keys } from '#/charts/Keys';
import { Legend } from '#/charts/Legend';
import { Plot } from '#/charts/Plot';
import type { Series as Line } from '#/charts/types';
import type { TableState } from '#/table/useTableState';
import { percent, plural, qty, short } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { usePhone } from '#/ui/usePhone';
import type { Series } from '../forecastApi';
import { amountOf, methodLabel, near, trialLabel } from '../measures';
import classes from './Forecast.module.css';
import {
  aheadOf,
  bandOf,
  firstAhead,
  type Grain,
  type Part,
  partsOf,
  restsOn,
  shownParts,
  signsOf,
} from './grain';

const GRAINS: readonly { value: Grain; label: string }[] = [
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
  { value: 'month', label: 'Months' },
];
const HEAD: Readonly<Record<Grain, string>> = { day: 'Day', week: 'Week from', month: 'Month' };
const HEIGHT = 286;
const FORECAST_MARK = 3;

interface Props {
  series: Series;
  /** The default grouping. */
  usual: Grain;
  state: TableState;
}

/** Sales and forecasts by day, week or month, as a chart or a table. */
export function SeriesChart({ series, usual, state }: Props) {
  const [lit, setLit] = useState<string | null>(null);
  const phone = usePhone();
  const grain = GRAINS.find(({ value }) => value === state.get('grain'))?.value ?? usual;
  const view: View = state.get('view') === 'table' ? 'table' : 'chart';
  const parts = useMemo(() => partsOf(series, grain), [series, grain]);
  const shown = useMemo(() => shownParts(parts, grain, phone), [parts, grain, phone]);
  const signs = useMemo(() => signsOf(series, shown, grain), [series, shown, grain]);
  const unit = series.unit ?? '';
  const daily = grain === 'day';
  const lines: Line[] = [
    { id: 'sold', label: 'Sold', values: shown.map(({ sold }) => near(sold)), mark: 0 },
    {
      id: 'expected',
      label: 'Forecast',
      values: shown.map(({ expected }) => near(expected)),
      mark: FORECAST_MARK,
    },
  ];
  const band = daily
    ? bandOf(shown, `${percent(series.level, 0)} interval`, FORECAST_MARK)
    : undefined;
  const at = firstAhead(shown);
  const { days, sum } = aheadOf(series);
  const summary = [
    days > 0
      ? `${amountOf(sum, unit)} expected over ${plural(days, 'day')}, by ${methodLabel(series.method).toLowerCase()}.`
      : 'Not forecast.',
    trialLabel(series.errors, series.level),
  ].join(' ');

  return (
    <Chart
      title={unit ? `Sold and forecast, ${unit}` : 'Sold and forecast'}
      summary={summary}
      legend={
        view === 'chart' && (
          <>
            <Legend kind={daily ? 'line' : 'stacked'} series={lines} lit={lit} onLight={setLit} />
            <Keys band={band} signs={signs.map(({ kind }) => kind)} />
          </>
        )
      }
      aside={
        <>
          <Segments<Grain>
            label="By"
            value={grain}
            options={GRAINS}
            onChange={(next) => state.set({ grain: next === usual ? null : next })}
          />
          <ViewSwitch
            value={view}
            both={false}
            onChange={(next) => state.set({ view: next === 'table' ? 'table' : null })}
          />
        </>
      }
      height={HEIGHT}
    >
      {view === 'table' ? (
        <Table parts={parts} grain={grain} unit={unit} notes={signsOf(series, parts, grain)} />
      ) : (
        <Plot
          kind={daily ? 'line' : 'stacked'}
          points={shown.map(({ key, label, title }) => ({ key, label, title }))}
          series={lines}
          band={band}
          cut={daily && at > 0 ? { at, label: '' } : undefined}
          signs={daily ? signs : undefined}
          lit={lit}
          format={(value) => amountOf(value, unit)}
          short={short}
        />
      )}
    </Chart>
  );
}

interface TableProps {
  parts: readonly Part[];
  grain: Grain;
  unit: string;
  notes: ReturnType<typeof signsOf>;
}

/** The same figures, newest first. */
function Table({ parts, grain, unit, notes }: TableProps) {
  const daily = grain === 'day';
  return (
    <div className={classes.figures} tabIndex={0} role="region" aria-label="Figures of the chart">
      <table className={charts.data}>
        <thead>
          <tr>
            <th scope="col">{HEAD[grain]}</th>
            <th scope="col">Sold{unit && `, ${unit}`}</th>
            <th scope="col">Forecast</th>
            {daily && <th scope="col">Interval</th>}
            <th scope="col">Notes</th>
          </tr>
        </thead>
        <tbody>
          {parts
            .map((part, at) => {
              const { key, title, label, sold, expected, lower, upper } = part;
              const said = notes.filter((note) => note.at === at).map((note) => note.label);
              const rests = daily ? '' : restsOn(part);
              return (
                <tr key={key}>
                  <th scope="row">{grain === 'week' ? label : title}</th>
                  <td>{qty(near(sold))}</td>
                  <td>{qty(near(expected))}</td>
                  {daily && (
                    <td>{lower === null ? '–' : `${qty(near(lower))} – ${qty(near(upper))}`}</td>
                  )}
                  <td>{[...said, rests].filter(Boolean).join(', ')}</td>
                </tr>
              );
            })
            .toReversed()}
        </tbody>
      </table>
    </div>
  );
}
