import { useMemo, useState } from 'react';
import { Chart } from '#/charts/Chart';
import { HeatGrid, HeatScale } from '#/charts/HeatGrid';
import { ExportButton } from '#/ui/ExportButton';
import { money, plural } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import type { HourCell } from './api';
import classes from './Insights.module.css';
import { busiest, hourLabel, hoursOf, WEEKDAYS } from './labels';

interface Props {
  cells: readonly HourCell[];
  /** The clock hour with which the days begin. */
  firstHour: number;
  file?: (format: 'csv' | 'xlsx') => string;
}

type View = 'chart' | 'table';

/** Tickets per open store-hour, by weekday and hour. */
export function Heat({ cells, firstHour, file }: Props) {
  const [view, setView] = useState<View>('chart');
  const { rows, points, of } = useMemo(() => {
    const hours = hoursOf(cells, firstHour);
    const of = new Map(cells.map((cell) => [`${cell.weekday} ${cell.hour}`, cell]));
    return {
      of,
      points: hours.map((hour) => ({
        key: String(hour),
        label: String(hour).padStart(2, '0'),
        title: hourLabel(hour),
      })),
      rows: WEEKDAYS.map((name, at) => ({
        id: String(at + 1),
        name,
        values: hours.map((hour) => of.get(`${at + 1} ${hour}`)?.anHour ?? 0),
      })),
    };
  }, [cells, firstHour]);
  const summary = busiest(cells);
  const aside = (
    <div className={`${classes.aside} no-print`}>
      <HeatScaleOf rows={rows} shown={view === 'chart'} />
      <Segments<View>
        label="Hours as"
        value={view}
        options={[
          { value: 'chart', label: 'Chart' },
          { value: 'table', label: 'Table' },
        ]}
        onChange={setView}
      />
      {file && <ExportButton href={file} />}
    </div>
  );
  if (view === 'chart') {
    return (
      <Chart title="When people come" summary={summary} height={250} aside={aside}>
        <HeatGrid
          label={`Tickets an open hour by weekday and hour. ${summary}`}
          rows={rows}
          points={points}
          format={(value) => `${value.toFixed(1)} an open hour`}
        />
      </Chart>
    );
  }
  return (
    <Panel title="When people come" aside={aside}>
      <section className={classes.scroll} tabIndex={0} aria-label="Tickets an open hour, table">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Hour</th>
              {WEEKDAYS.map((name) => (
                <th key={name} scope="col" className={classes.number}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ key, title }) => (
              <tr key={key}>
                <th scope="row">{title}</th>
                {WEEKDAYS.map((name, at) => {
                  const cell = of.get(`${at + 1} ${key}`);
                  return (
                    <td
                      key={name}
                      className={classes.number}
                      title={
                        cell
                          ? `${plural(cell.tickets, 'ticket')}, ${money(cell.net)}, ${plural(cell.openHours, 'open store-hour')}`
                          : undefined
                      }
                    >
                      {cell ? cell.anHour.toFixed(1) : 'closed'}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function HeatScaleOf(props: { rows: readonly { values: readonly number[] }[]; shown: boolean }) {
  if (!props.shown) return null;
  return <HeatScale values={props.rows.map(({ values }) => values)} format={(n) => n.toFixed(0)} />;
}
