import {
  type KeyboardEvent,
  type PointerEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import classes from './charts.module.css';
import { heatLevel, heatSteps } from './heat';
import type { Point } from './types';

interface HeatRow {
  id: string;
  name: string;
  values: readonly number[];
}

interface Props {
  /** A text summary. */
  label: string;
  rows: readonly HeatRow[];
  points: readonly Point[];
  format(value: number): string;
  onPick?(rowId: string, index: number): void;
}

const LEVELS = 6;
const FOOT = 22;
/** Foot height for vertical names. */
const TALL_FOOT = 108;
const UPRIGHT = 9;
const LEAST_ROW = 18;
const MOST_ROW = 30;

/**
 * A heat map. Each shade is one path, however many cells have it; arrow keys move a cursor whose
 * value is read out, so that colour is not the only way to read it.
 */
export function HeatGrid({ label, rows, points, format, onPick }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [at, setAt] = useState<{ r: number; c: number } | null>(null);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const names = size.width < 500 ? 104 : 170;
  const upright = points.some(({ label: tick }) => tick.length > UPRIGHT);
  const foot = upright ? TALL_FOOT : FOOT;
  const room = Math.max(1, Math.floor((size.height - foot) / LEAST_ROW));
  const shown = useMemo(() => rows.slice(0, room), [rows, room]);
  const height = Math.min(MOST_ROW, (size.height - foot) / Math.max(1, shown.length));
  const width = Math.min(64, Math.max(0, size.width - names) / Math.max(1, points.length));
  const steps = useMemo(() => heatSteps(shown.map(({ values }) => values)), [shown]);

  const paths = useMemo(() => {
    const out = Array.from({ length: LEVELS }, () => '');
    const gap = width > 8 ? 1 : 0;
    shown.forEach(({ values }, r) => {
      values.forEach((value, c) => {
        const level = heatLevel(value, steps);
        const [x, y] = [names + c * width, r * height];
        out[level] +=
          `M${x.toFixed(1)} ${y.toFixed(1)}h${(width - gap).toFixed(1)}v${(height - 1).toFixed(1)}h-${(width - gap).toFixed(1)}z`;
      });
    });
    return out;
  }, [shown, steps, width, height, names]);

  function place(event: PointerEvent<SVGSVGElement>) {
    const rect = event.currentTarget.getBoundingClientRect();
    const c = Math.floor((event.clientX - rect.left - names) / width);
    const r = Math.floor((event.clientY - rect.top) / height);
    return c >= 0 && c < points.length && r >= 0 && r < shown.length ? { r, c } : null;
  }

  function keys(event: KeyboardEvent): void {
    const now = at ?? { r: 0, c: points.length - 1 };
    const moves: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
    };
    const move = moves[event.key];
    if (move) {
      event.preventDefault();
      event.stopPropagation();
      setAt(
        at
          ? {
              r: Math.min(shown.length - 1, Math.max(0, now.r + move[0])),
              c: Math.min(points.length - 1, Math.max(0, now.c + move[1])),
            }
          : now,
      );
    } else if (event.key === 'Enter' && at) {
      event.preventDefault();
      pick(at);
    }
  }

  function pick({ r, c }: { r: number; c: number }): void {
    const row = shown[r];
    if (row?.values[c]) onPick?.(row.id, c);
  }

  const row = at && shown[at.r];
  const point = at && points[at.c];
  const announcement =
    row && point ? `${row.name}, ${point.title}: ${format(row.values[at.c] ?? 0)}` : '';
  const every = Math.max(1, Math.ceil((upright ? 14 : 62) / Math.max(1, width)));
  const letters = Math.floor((names - 12) / 6.6);

  return (
    <div ref={box} className={classes.plotFit}>
      <svg
        className={classes.heat}
        viewBox={size.width ? `0 0 ${size.width} ${size.height}` : undefined}
        preserveAspectRatio="xMinYMin"
        role="img"
        aria-label={label}
        tabIndex={0}
        style={{ cursor: onPick && at ? 'pointer' : undefined }}
        onPointerMove={(event) => setAt(place(event))}
        onPointerLeave={() => setAt(null)}
        onClick={() => at && pick(at)}
        onBlur={() => setAt(null)}
        onKeyDown={keys}
      >
        {paths.map(
          // biome-ignore lint/suspicious/noArrayIndexKey: a shade is its place in the scale
          (d, level) => d && <path key={`l${level}`} d={d} fill={`var(--heat-${level})`} />,
        )}
        {shown.map(({ id, name }, r) => (
          <text
            key={id}
            className={classes.heatRow}
            x={names - 8}
            y={r * height + height / 2 + 4}
            textAnchor="end"
          >
            {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
          </text>
        ))}
        {points.map(({ key, label: tick }, c) =>
          c % every === 0 ? (
            <text
              key={key}
              className={classes.heatTick}
              {...(upright
                ? {
                    transform: `translate(${names + (c + 0.5) * width + 4} ${shown.length * height + 8}) rotate(-90)`,
                    textAnchor: 'end',
                  }
                : { x: names + c * width, y: shown.length * height + 15 })}
            >
              {tick.length > 18 ? `${tick.slice(0, 17)}…` : tick}
            </text>
          ) : null,
        )}
        {at && (
          <rect
            className={classes.heatCursor}
            x={names + at.c * width}
            y={at.r * height}
            width={Math.max(3, width - 1)}
            height={height - 1}
          />
        )}
      </svg>
      {at && row && point && (
        <div
          className={`${classes.tip} ${classes.heatTip}`}
          style={{
            left: Math.max(0, Math.min(names + at.c * width + width + 8, size.width - 220)),
            top: Math.min((at.r + 1) * height + 6, size.height - 40),
          }}
        >
          <p className={classes.tipTitle}>{row.name}</p>
          <div className={classes.tipRow}>
            <span>{point.title}</span>
            <span className="num">{format(row.values[at.c] ?? 0)}</span>
          </div>
        </div>
      )}
      <p className="sr-only" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}

/** The legend of the shades. */
export function HeatScale({
  values,
  format,
}: {
  values: readonly (readonly number[])[];
  format(value: number): string;
}) {
  const steps = heatSteps(values);
  return (
    <div className={classes.heatScale} aria-hidden="true">
      <span className="num">{format(0)}</span>
      {[0, ...steps].map((step, level) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a shade is its place in the scale
        <i key={`${level}-${step}`} style={{ background: `var(--heat-${level})` }} />
      ))}
      <span className="num">
        {format(Math.max(0, ...values.map((row) => Math.max(0, ...row))))}
      </span>
    </div>
  );
}
