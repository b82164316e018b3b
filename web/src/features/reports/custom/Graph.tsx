import { useMemo, useState } from 'react';
import { Chart } from '#/charts/Chart';
import { HeatGrid, HeatScale } from '#/charts/HeatGrid';
import { Legend } from '#/charts/Legend';
import { MARKS } from '#/charts/marks';
import { Plot } from '#/charts/Plot';
import type { PlotKind, Point, Series } from '#/charts/types';
import { day, plural } from '#/ui/format';
import { axis, headOf, writer } from './labels';
import type { Picked } from './Table';
import type { Answer, Row } from './types';

interface Props {
  answer: Answer;
  onPick(picked: Picked): void;
}

const MOST_BARS = 31;
const MOST_POINTS = 62;
const IN_HEAT = 40;
const DATES = ['date', 'week', 'month', 'quarter', 'year', 'weekday'];

/** The chart of a table: its first figure, in one unit. */
export function Graph({ answer, onPick }: Props) {
  const [lit, setLit] = useState<string | null>(null);
  const shown = useMemo(() => drawn(answer), [answer]);
  if (!shown) return null;
  const { heat, kind, points, series, rows, title, measure } = shown;
  const write = writer(measure);
  const summary = `${title}, ${day(answer.from)} to ${day(answer.to)}: ${plural(answer.rowCount, 'row')}.`;
  if (heat) {
    const shades = rows.slice(0, IN_HEAT).map(({ id, name, values }) => ({
      id,
      name,
      values: values.map((value) => value ?? 0),
    }));
    return (
      <Chart
        title={title}
        summary={summary}
        height={Math.min(290, 70 + shades.length * 24)}
        aside={<HeatScale values={shades.map(({ values }) => values)} format={axis(measure)} />}
      >
        <HeatGrid
          label={summary}
          rows={shades}
          points={points}
          format={write}
          onPick={(id, column) => {
            const row = rows.find((one) => one.id === id)?.row;
            if (row && !row.other) onPick({ row, column });
          }}
        />
      </Chart>
    );
  }
  return (
    <Chart
      title={title}
      summary={summary}
      height={220}
      legend={
        series.length > 1 && <Legend kind={kind} series={series} lit={lit} onLight={setLit} />
      }
    >
      <Plot
        kind={kind}
        points={points}
        series={series}
        lit={lit}
        format={write}
        short={axis(measure)}
        hint="Click for what it is made of"
        onPick={(at, id) => {
          const row = shown.across ? rows.find((one) => one.id === id)?.row : rows[at]?.row;
          if (row && !row.other) onPick({ row, column: shown.across ? at : null });
        }}
      />
    </Chart>
  );
}

interface Drawn {
  id: string;
  name: string;
  row: Row;
  values: (number | null)[];
}

function drawn(answer: Answer) {
  const { measures, columns, definition } = answer;
  const measure = measures[0];
  const first = answer.rows[0];
  if (!measure || !first || definition.chart === 'none') return null;
  const many = measures.length;
  // An axis has one unit: that of the first row.
  const unit = measure.unit ? (first.unit ?? null) : null;
  const of = answer.rows.filter((row) => !measure.unit || (row.unit ?? null) === unit);
  const rows: Drawn[] = of.map((row, at) => ({
    id: `r${at}`,
    name: row.labels.join(', '),
    row,
    values: columns.map((_, nth) => row.values[nth * many] ?? null),
  }));
  const title = `${headOf(measure)}${unit ? ` (${unit})` : ''}`;
  const dates = DATES.includes(answer.rowFields[0]?.key ?? '');
  // A running total is a line over its dates.
  const along = columns.length > 0 || (dates && answer.rowFields.length === 1);
  const lines =
    definition.chart === 'lines' ||
    (definition.chart === 'bars' && measure.rule === 'running' && along);
  const sums = measure.type !== 'share' && measure.rule === 'sum';
  if (columns.length === 0) {
    const shownRows = rows.slice(0, lines || dates ? MOST_POINTS : MOST_BARS);
    const points: Point[] = shownRows.map(({ id, name }) => ({
      key: id,
      label: name,
      title: name,
    }));
    const values = shownRows.map(({ row }) => row.total[0] ?? null);
    const series: Series[] = [{ id: 'all', label: title, values, mark: 0 }];
    const left =
      rows.length > shownRows.length ? `, the first ${shownRows.length} of ${rows.length}` : '';
    return {
      heat: false,
      across: false,
      kind: (lines ? 'line' : 'bar') as PlotKind,
      points,
      series,
      rows: shownRows,
      title: title + left,
      measure,
    };
  }
  const points: Point[] = columns.map(({ keys, labels }) => {
    const label = labels.join(', ');
    return {
      key: keys.join('|'),
      label: label.replace(/^Week \d+, /, '').replace(/ \d{4}$/, ''),
      title: label,
    };
  });
  const heat = definition.chart === 'heat';
  const series = rows
    .slice(0, MARKS)
    .map(({ id, name, values }, mark): Series => ({ id, label: name, values, mark }));
  const left =
    !heat && rows.length > series.length ? `, the first ${series.length} of ${rows.length}` : '';
  return {
    heat,
    across: true,
    kind: (lines ? 'line' : sums ? 'stacked' : 'bar') as PlotKind,
    points,
    series,
    rows,
    title: title + left,
    measure,
  };
}
