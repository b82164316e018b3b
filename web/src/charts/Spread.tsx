import { memo } from 'react';
import classes from './charts.module.css';

const WIDTH = 84;
const HEIGHT = 22;
const RADIUS = 2.5;

interface Props {
  /** One per store or group; their order means nothing. */
  values: readonly number[];
  /** The value with the tick: the median or the whole. */
  middle: number | null;
  /** What is spread, and from where to where. */
  label: string;
}

/** How stores spread around a figure: a dot each on one axis, without an order. */
export const Spread = memo(function Spread({ values, middle, label }: Props) {
  const { dots, tick } = spreadOf(values, middle, WIDTH);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} className={classes.spread}>
      <line x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      {tick !== null && <line data-tick x1={tick} x2={tick} y1={3} y2={HEIGHT - 3} />}
      {dots.map((x, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: dots have no identity but their place
        <circle key={i} cx={x} cy={HEIGHT / 2} r={RADIUS} />
      ))}
    </svg>
  );
});

/** Where the dots and the tick are, in pixels from the left: the lowest value first. */
export function spreadOf(
  values: readonly number[],
  middle: number | null,
  width: number,
): { dots: number[]; tick: number | null } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = width - 2 * RADIUS;
  const place = (value: number) => {
    const along = high > low ? (Math.min(high, Math.max(low, value)) - low) / (high - low) : 0.5;
    return Number((RADIUS + along * room).toFixed(1));
  };
  return {
    dots: values.map(place),
    tick: middle === null || values.length === 0 ? null : place(middle),
  };
}
