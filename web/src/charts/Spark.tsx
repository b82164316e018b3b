import { memo } from 'react';

const WIDTH = 84;
const HEIGHT = 22;

/** A sparkline of days or weeks; `Spread` shows values that no time orders. */
export const Spark = memo(function Spark({ overTime }: { overTime: readonly number[] }) {
  const d = sparkPath(overTime, WIDTH, HEIGHT);
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" style={{ display: 'block' }}>
      <path d={d} fill="none" stroke="var(--chart-1)" strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  );
});

/** The path of a sparkline; long series are thinned to the width, keeping each part's maximum. */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  const room = Math.floor(width / 2);
  const points: number[] = [];
  const step = Math.max(1, values.length / room);
  for (let at = 0; at < values.length; at += step) {
    const part = values.slice(Math.floor(at), Math.max(Math.floor(at) + 1, Math.floor(at + step)));
    points.push(Math.max(...part));
  }
  // Scaled to its own range: it shows the shape, the cells show the size.
  const high = Math.max(...points);
  const low = Math.min(...points);
  const span = high - low;
  const y = (value: number) =>
    Number((span ? height - 3 - ((value - low) / span) * (height - 6) : height / 2).toFixed(1));
  if (points.length < 2) return `M0 ${height / 2}H${width}`;
  const x = (i: number) => Number(((i / (points.length - 1)) * width).toFixed(1));
  return points.map((value, i) => `${i ? 'L' : 'M'}${x(i)} ${y(value)}`).join('');
}
