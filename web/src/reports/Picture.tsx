import { type ReactNode, useState } from 'react';
import { Chart } from '#/charts/Chart';
import { HeatGrid, HeatScale } from '#/charts/HeatGrid';
import { Legend } from '#/charts/Legend';
import { Plot } from '#/charts/Plot';
import type { PlotKind, Point, Series } from '#/charts/types';
import { short as compact } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import classes from './frame/Report.module.css';
import type { ReportState } from './question/useReport';
import { useShared } from './useShared';

const IN_HEAT = 40;
const HEAT_HEIGHT = 290;

interface HeatRow {
  id: string;
  name: string;
  values: readonly (number | null)[];
}

interface Props {
  state: ReportState;
  title: string;
  /** A text summary. */
  summary: string;
  height?: number;
  kind: PlotKind;
  points: readonly Point[];
  series: readonly Series[];
  format(value: number): string;
  short?(value: number): string;
  /** Shows the legend if there are several series. */
  legend?: boolean;
  /** The series are chosen rows, which can be removed. */
  chosen?: boolean;
  hint?: string;
  /** Opens a point's details; its series is null for all of them. */
  onPick?(point: string, series: string | null): void;
  /** Next to the title; receives whether the heat map is shown. */
  aside?: ReactNode | ((heat: boolean) => ReactNode);
  /** The data as a heat map, which can show many rows. */
  heat?: {
    /** Whether it is the default view. */
    first?: boolean;
    /** The label of the other view: «Bars». */
    other: string;
    title: string;
    rows: readonly HeatRow[];
    points?: readonly Point[];
  };
}

const HINT = 'Click for what it is made of';

/** The chart of a report: bars or lines, or a heat map if there are more rows than marks. */
export function Picture(props: Props) {
  const { state, summary, points, series, format, short = compact, heat, chosen, onPick } = props;
  const [lit, setLit] = useState<string | null>(null);
  const note = useShared(state);
  const graph = { value: 'graph', label: heat?.other ?? '' };
  const shades = { value: 'heat', label: 'Heat map' };
  const pictures = heat?.first ? [shades, graph] : [graph, shades];
  const asked = pictures.find(({ value }) => value === state.get('chart')) ?? pictures[0];
  const heated = heat && asked === shades ? heat : null;
  const rows = (heated?.rows ?? []).slice(0, IN_HEAT).map(({ id, name, values }) => ({
    id,
    name,
    values: values.map((value) => value ?? 0),
  }));
  const shaded = heated?.points ?? points;
  const aside = typeof props.aside === 'function' ? props.aside(heated !== null) : props.aside;
  return (
    <Chart
      title={heated?.title ?? props.title}
      summary={summary}
      share={{ title: heated?.title ?? props.title, note }}
      fill={state.view === 'chart'}
      height={heated ? HEAT_HEIGHT : (props.height ?? 210)}
      legend={
        !heated &&
        (props.legend ?? series.length > 1) && (
          <Legend
            kind={props.kind}
            series={series}
            lit={lit}
            onLight={setLit}
            onRemove={chosen ? state.toggleFocus : undefined}
          />
        )
      }
      aside={
        (aside || heat) && (
          <>
            {aside}
            {heated && <HeatScale values={rows.map(({ values }) => values)} format={short} />}
            {heat && (
              <Segments
                label="Picture"
                value={asked?.value ?? ''}
                options={pictures}
                onChange={(next) => state.set({ chart: next === pictures[0]?.value ? null : next })}
              />
            )}
          </>
        )
      }
    >
      {heated ? (
        <HeatGrid
          label={summary}
          rows={rows}
          points={shaded}
          format={format}
          onPick={onPick && ((row, at) => onPick(shaded[at]?.key ?? '', row))}
        />
      ) : (
        <Plot
          kind={props.kind}
          points={points}
          series={series}
          lit={lit}
          format={format}
          short={short}
          hint={onPick && (props.hint ?? HINT)}
          onPick={onPick && ((at, id) => onPick(points[at]?.key ?? '', id))}
        />
      )}
    </Chart>
  );
}

/** Clears the chosen rows. */
export function ClearFocus({
  state,
  children = 'Clear',
}: {
  state: ReportState;
  children?: ReactNode;
}) {
  if (state.focus.length === 0) return null;
  return (
    <button type="button" className={classes.link} onClick={() => state.setFocus([])}>
      {children}
    </button>
  );
}
