// The drawing itself. This module brings the chart library and is only ever loaded lazily.
import '@mantine/charts/styles.css';
import { BarChart, CompositeChart, LineChart } from '@mantine/charts';
import { useElementSize } from '@mantine/hooks';
import { type ReactElement, useId } from 'react';
import { SLANTED, slantedLines, tickLines } from './labels';
import { colorOf, dashOf, Marker, Pattern, REST } from './marks';
import { Signs } from './Signs';
import { signedScale } from './scale';
import { Tip } from './Tip';
import type { PlotProps, Series } from './types';

interface Row {
  at: number;
  [name: string]: number | null | [number, number];
}

interface DotProps {
  index?: number;
  cx?: number;
  cy?: number;
}

interface Tick {
  x?: number;
  y?: number;
  payload?: { value?: number };
}

interface TipState {
  active?: boolean;
  label?: unknown;
}

/** Markers further apart than this many points are still seen as one line. */
const MARKERS = 28;
/** Names shorter than so many letters say nothing. */
const LEGIBLE = 8;
/** As many columns as can carry their names. */
const NAMED = 18;

export default function Plot(props: PlotProps) {
  const { kind, points, series, band, cut, signs, lit, short, onPick } = props;
  const scope = useId().replace(/\W/g, '');
  // The library reads a name with dots as a path, so series go by their place.
  const nameOf = (i: number) => `s${i}`;
  const seriesOf = (name: string) => series[Number(name.slice(1))];
  const { ref, width } = useElementSize();
  const stacked = kind === 'stacked';

  const data: Row[] = points.map((_, at) => {
    const row: Row = { at };
    series.forEach(({ values }, i) => {
      row[nameOf(i)] = values[at] ?? null;
    });
    const [low, high] = [band?.lower[at], band?.upper[at]];
    row.band = low != null && high != null ? [low, high] : null;
    return row;
  });

  // Names are written in two lines where all of them have room; dates take turns.
  const letters = Math.max(4, Math.floor((width - 60) / Math.max(1, points.length) / 6.3) - 1);
  const few = points.length <= NAMED && kind !== 'line';
  const below = points.some(({ sub }) => sub);
  const slanted =
    few &&
    letters < (below ? SLANTED : LEGIBLE) &&
    points.some(({ label, sub }) => sub || label.length > LEGIBLE);
  const named = few && !slanted && (stacked || letters >= LEGIBLE);
  const pointOf = (payload: Tick['payload']) => points[payload?.value ?? 0] ?? { label: '' };
  const slantedTick = ({ x = 0, y = 0, payload }: Tick) => (
    <text
      x={x}
      y={y + 8}
      textAnchor="end"
      transform={`rotate(-35 ${x} ${y + 8})`}
      fontSize={12}
      fill="var(--muted)"
    >
      {slantedLines(pointOf(payload)).map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <tspan key={i} x={x} dy={i ? 13 : 0}>
          {line}
        </tspan>
      ))}
    </text>
  );
  const tick = ({ x, y, payload }: Tick) => (
    <text x={x} y={(y ?? 0) + 10} textAnchor="middle" fontSize={12} fill="var(--muted)">
      {tickLines(pointOf(payload), letters).map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <tspan key={i} x={x} dy={i ? 14 : 0}>
          {line}
        </tspan>
      ))}
    </text>
  );

  const back = (one: Series | undefined) => Boolean(lit && one?.id !== lit);

  const tip = ({ active, label }: TipState): ReactElement | null =>
    active ? <Tip plot={props} at={Number(label)} scope={scope} faded={back} /> : null;

  // Half a count is none, and its rounded name would stand at the axis twice.
  const whole = series.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)));

  // The library's own ticks pass by zero where values are on both sides of it.
  const axis = stacked
    ? null
    : signedScale(
        [...series.flatMap(({ values }) => values), ...(band?.lower ?? []), ...(band?.upper ?? [])],
        whole,
      );

  const common = {
    data,
    dataKey: 'at',
    ref,
    h: '100%',
    withLegend: false,
    tickLine: 'none' as const,
    gridAxis: 'x' as const,
    strokeDasharray: '4 4',
    gridColor: 'var(--hairline)',
    textColor: 'var(--muted)',
    valueFormatter: short,
    xAxisProps: {
      tickFormatter: (at: number) => points[at]?.label ?? '',
      ...(slanted
        ? { interval: 0, height: below ? 76 : 64, tick: slantedTick as never }
        : named
          ? { interval: 0, height: 44, tick: tick as never }
          : { minTickGap: 16, interval: 'equidistantPreserveStart' as const }),
      tickMargin: 2,
    },
    yAxisProps: {
      width: 46,
      tickCount: 5,
      allowDecimals: !whole,
      ...(axis && { domain: [axis.from, axis.to], ticks: axis.ticks }),
    },
    tooltipProps: { content: tip as never, isAnimationActive: false },
  };

  const dot = (one: Series, i: number, step: number) => (at: DotProps) => {
    const index = at.index ?? 0;
    const known = at.cx != null && at.cy != null && one.values[index] != null;
    // A point without neighbours would be no line at all.
    const alone = one.values[index - 1] == null && one.values[index + 1] == null;
    const rare = !one.dots && index % step !== 0 && index !== points.length - 1 && !alone;
    if (!known || rare) {
      return <g key={`${i}-${index}`} />;
    }
    return (
      <g key={`${i}-${index}`} opacity={back(one) ? 0.25 : 1}>
        <Marker mark={one.mark} cx={at.cx ?? 0} cy={at.cy ?? 0} />
      </g>
    );
  };

  if (kind === 'line') {
    const step = Math.max(1, Math.ceil(points.length / MARKERS));
    const lines = series.map(({ mark, label }, i) => ({
      name: nameOf(i),
      label,
      color: colorOf(mark),
      strokeDasharray: dashOf(mark),
    }));
    const lineProps = (line: { name: string }) => {
      const i = Number(line.name.slice(1));
      const one = series[i];
      if (!one) return {};
      return {
        isAnimationActive: false,
        strokeWidth: one.dots ? 0 : lit === one.id ? 3 : 2,
        strokeOpacity: back(one) ? 0.25 : 1,
        dot: dot(one, i, step) as never,
        activeDot: ((at: DotProps) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table offers the same by key
          <g
            style={onPick && { cursor: 'pointer' }}
            onClick={() => onPick?.(at.index ?? 0, one.id)}
          >
            <circle cx={at.cx} cy={at.cy} r={12} fill="transparent" />
            <Marker mark={one.mark} cx={at.cx ?? 0} cy={at.cy ?? 0} r={5} />
          </g>
        )) as never,
      };
    };
    const shape = {
      ...common,
      curveType: 'monotone' as const,
      connectNulls: false,
      strokeWidth: 2,
    };
    const layer = signs && signs.length > 0 && (
      <Signs signs={signs} points={points.length} scope={scope} />
    );
    const referenceLines = cut && [
      {
        x: cut.at,
        label: cut.label,
        color: 'var(--muted)',
        labelPosition: 'insideBottomLeft' as const,
      },
    ];
    if (!band)
      return (
        <LineChart {...shape} referenceLines={referenceLines} series={lines} lineProps={lineProps}>
          {layer}
        </LineChart>
      );
    return (
      <CompositeChart
        {...shape}
        referenceLines={referenceLines}
        series={[
          { name: 'band', label: band.label, color: colorOf(band.mark), type: 'area' as const },
          ...lines.map((line) => ({ ...line, type: 'line' as const })),
        ]}
        lineProps={lineProps}
        areaProps={{
          stroke: 'none',
          fillOpacity: 0.22,
          dot: false,
          activeDot: false,
          isAnimationActive: false,
        }}
      >
        {layer}
      </CompositeChart>
    );
  }

  return (
    <BarChart
      {...common}
      type={stacked ? 'stacked' : 'default'}
      referenceLines={axis ? [{ y: 0, color: 'var(--muted)' }] : undefined}
      maxBarWidth={64}
      style={{ '--chart-cursor-fill': 'var(--hover)' }}
      series={series.map(({ mark, label }, i) => ({
        name: nameOf(i),
        label,
        color: colorOf(mark),
      }))}
      barProps={(bar) => {
        const one = seriesOf(bar.name);
        return {
          fill: `url(#${scope}${bar.name})`,
          fillOpacity: back(one) ? 0.25 : 1,
          stroke: 'var(--surface)',
          strokeOpacity: 1,
          strokeWidth: stacked ? 1 : 0,
          cursor: onPick ? 'pointer' : undefined,
          onClick: (_: unknown, index: number) => onPick?.(index, one?.id ?? null),
        };
      }}
    >
      <defs>
        {series.map(({ id, mark }, i) => (
          <Pattern
            key={id}
            id={`${scope}${nameOf(i)}`}
            mark={stacked || mark === REST ? mark : 0}
          />
        ))}
      </defs>
    </BarChart>
  );
}
