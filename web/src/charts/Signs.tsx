// Markers on a plot: days without data, special days, figures changed by hand.
import { usePlotArea, useXAxisScale } from 'recharts';
import classes from './charts.module.css';
import { flag } from './SignSwatches';
import type { Sign } from './types';

interface Props {
  signs: readonly Sign[];
  /** The number of points of the plot. */
  points: number;
  /** Makes the pattern's name unique on the page. */
  scope: string;
}

/** Drawn inside a plot, with its scale. Signs differ in shape, not only in colour. */
export function Signs({ signs, points, scope }: Props) {
  const x = useXAxisScale();
  const area = usePlotArea();
  if (!x || !area) return null;
  const step = area.width / Math.max(1, points - 1);
  const hatch = `${scope}unknown`;
  return (
    <g pointerEvents="none">
      <defs>
        <pattern id={hatch} width={6} height={6} patternUnits="userSpaceOnUse">
          <path d="M-1 1L1 -1M0 6L6 0M5 7L7 5" className={classes.unknownLines} />
        </pattern>
      </defs>
      {signs.map(({ at, kind, label }) => {
        const middle = x(at);
        if (middle === undefined) return null;
        const key = `${kind}${at}${label}`;
        if (kind === 'unknown') {
          const from = Math.max(area.x, middle - step / 2);
          const to = Math.min(area.x + area.width, middle + step / 2);
          const box = { x: from, y: area.y, width: Math.max(1, to - from), height: area.height };
          return (
            <g key={key}>
              <rect {...box} className={classes.unknownSign} fillOpacity={0.6} />
              <rect {...box} fill={`url(#${hatch})`} />
            </g>
          );
        }
        if (kind === 'event') {
          return (
            <g key={key}>
              <line
                x1={middle}
                x2={middle}
                y1={area.y + 8}
                y2={area.y + area.height}
                className={classes.eventLine}
              />
              <path d={flag(middle, area.y)} className={classes.eventSign} />
            </g>
          );
        }
        return (
          <rect
            key={key}
            x={middle - 3.5}
            y={area.y + area.height - 9}
            width={7}
            height={7}
            className={classes.changedSign}
          />
        );
      })}
    </g>
  );
}
