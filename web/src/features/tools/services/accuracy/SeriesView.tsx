import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { Chart, ViewSwitch } from '#/charts/Chart';
import charts from '#/charts/charts.module.css';
import { Keys } from '#/charts/Keys';
import { Legend } from '#/charts/Legend';
import { Plot } from '#/charts/Plot';
import type { Band, Series } from '#/charts/types';
import { weekday } from '#/reports/question/weeks';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural, qty, short, shortDay } from '#/ui/format';
import {
  type AccuracyQuery,
  FORECAST,
  fetchAccuracy,
  type Judged,
  type JudgedSeries,
  useJudgedSeries,
} from '../forecastApi';
import {
  againstLastWeek,
  amountOf,
  heldLabel,
  leanLabel,
  methodLabel,
  near,
  offLabel,
} from '../measures';
import { SeriesPanel } from '../SeriesPanel';
import classes from './Accuracy.module.css';
import { largestMisses, signsOf } from './misses';

/** The default prediction interval. */
const LEVEL = 0.8;
const FORECAST_MARK = 3;
/** How many of the largest misses are listed. */
const MISSES = 5;

interface Props {
  query: AccuracyQuery;
  name: string;
  judged: Judged | undefined;
  state: TableState;
  onClose?(): void;
}

/** An item's forecasts in a store by day, against actual sales: a chart that shows why. */
export function SeriesView(props: Props) {
  const { query, name, state, onClose } = props;
  const { data, error, refetch } = useJudgedSeries(query);
  // A series that is not among the loaded rows is fetched separately.
  const alone = useQuery({
    queryKey: [...FORECAST, 'accuracy', 'one', query],
    queryFn: ({ signal }) => fetchAccuracy({ ...query, by: 'series', limit: 1, offset: 0 }, signal),
    enabled: !props.judged,
  });
  const judged = props.judged ?? alone.data?.items[0];
  return (
    <SeriesPanel name={name} onClose={onClose}>
      <div className={classes.seriesBody}>
        {judged && <p className={classes.words}>{judgedLabel(judged)}</p>}
        {error && !data ? (
          <EmptyState
            icon={IconAlertTriangle}
            role="alert"
            compact
            title="This could not be loaded"
            text={
              Problem.of(error)
                .fields.map(({ message }) => message)
                .join(' ') || Problem.of(error).message
            }
            action={
              <Button variant="default" onClick={() => void refetch()}>
                Try again
              </Button>
            }
          />
        ) : data ? (
          <>
            <Picture series={data} summary={judged ? judgedLabel(judged) : ''} state={state} />
            <Misses series={data} />
          </>
        ) : (
          <Skeleton height={320} />
        )}
      </div>
    </SeriesPanel>
  );
}

/** A row as sentences. */
export function judgedLabel({ wape, bias, mase, coverage, days }: Judged): string {
  const lean = leanLabel(bias);
  const parts = [
    `${offLabel(wape)}${lean && `, ${lean === 'Even' ? 'neither too high nor too low' : lean}`}, over ${plural(days, 'day')}.`,
    mase == null ? '' : `That is ${againstLastWeek(mase)}.`,
    coverage == null ? '' : `${heldLabel(coverage, LEVEL)}.`,
  ];
  return parts.filter(Boolean).join(' ');
}

interface PictureProps {
  series: JudgedSeries;
  summary: string;
  state: TableState;
}

function Picture({ series, summary, state }: PictureProps) {
  const [lit, setLit] = useState<string | null>(null);
  const table = state.get('view') === 'table';
  const { dates, actual, forecast, lower, upper, method } = series;
  const unit = series.unit ?? '';
  const lines: Series[] = [
    { id: 'sold', label: 'Sold', values: actual.map(near), mark: 0 },
    { id: 'forecast', label: 'Forecast', values: forecast.map(near), mark: FORECAST_MARK },
  ];
  const band: Band | undefined = lower.some((value) => value != null)
    ? {
        label: 'Interval',
        mark: FORECAST_MARK,
        lower: lower.map((value) => value ?? null),
        upper: upper.map((value) => value ?? null),
      }
    : undefined;
  const signs = signsOf(series);
  return (
    <Chart
      title={unit ? `Sold and forecast, ${unit}` : 'Sold and forecast'}
      summary={summary}
      legend={
        !table && (
          <>
            <Legend kind="line" series={lines} lit={lit} onLight={setLit} />
            <Keys band={band} signs={signs.map(({ kind }) => kind)} />
          </>
        )
      }
      aside={
        <ViewSwitch
          value={table ? 'table' : 'chart'}
          both={false}
          onChange={(next) => state.set({ view: next === 'table' ? 'table' : null })}
        />
      }
      height={320}
    >
      {table ? (
        <div
          className={classes.figures}
          tabIndex={0}
          role="region"
          aria-label="Figures of the chart"
        >
          <table className={charts.data}>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Sold{unit && `, ${unit}`}</th>
                <th scope="col">Forecast</th>
                <th scope="col">Missed by</th>
                <th scope="col">Interval</th>
                <th scope="col">Method</th>
              </tr>
            </thead>
            <tbody>
              {dates
                .map((date, i) => {
                  const [sold, said] = [actual[i] ?? null, forecast[i] ?? null];
                  const missed = sold === null || said === null ? null : near(said - sold);
                  const [low, high] = [near(lower[i]), near(upper[i])];
                  return (
                    <tr key={date}>
                      <th scope="row">{day(date)}</th>
                      <td>{sold === null ? 'not known' : qty(near(sold))}</td>
                      <td>{qty(near(said))}</td>
                      <td>{missed === null ? '–' : `${missed > 0 ? '+' : ''}${qty(missed)}`}</td>
                      <td>{low === null ? '–' : `${qty(low)} – ${qty(high)}`}</td>
                      <td>{method[i] ? methodLabel(method[i]) : '–'}</td>
                    </tr>
                  );
                })
                .toReversed()}
            </tbody>
          </table>
        </div>
      ) : (
        <Plot
          kind="line"
          points={dates.map((date) => ({ key: date, label: shortDay(date), title: day(date) }))}
          series={lines}
          band={band}
          signs={signs}
          lit={lit}
          format={(value) => amountOf(value, unit)}
          short={short}
        />
      )}
    </Chart>
  );
}

/** The days with the largest misses, to look at first. */
function Misses({ series }: { series: JudgedSeries }) {
  const misses = largestMisses(series, MISSES);
  if (misses.length === 0) return null;
  return (
    <section className={classes.misses}>
      <h3>Largest misses{series.unit && `, ${series.unit}`}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Sold</th>
            <th scope="col">Forecast</th>
            <th scope="col">Missed by</th>
          </tr>
        </thead>
        <tbody>
          {misses.map(({ date, sold, said, missed }) => (
            <tr key={date}>
              <th scope="row">
                {weekday(date)} {day(date)}
              </th>
              <td className="num">{qty(near(sold))}</td>
              <td className="num">{qty(near(said))}</td>
              <td className="num">
                {qty(near(Math.abs(missed)))} {missed > 0 ? 'too high' : 'too low'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
