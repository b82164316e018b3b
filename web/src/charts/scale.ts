// Round steps for an axis, and labels beside points that do not overlap.

/** The ends of an axis and its ticks. */
export interface Scale {
  from: number;
  to: number;
  ticks: number[];
}

/** Padding beyond the outermost values, as a share of their range. */
const ROOM = 0.12;

/** An axis for some values with about `steps` round steps, within `least` and `most`. */
export function scaleOf(
  values: readonly number[],
  steps: number,
  limits: { least?: number; most?: number; whole?: boolean } = {},
): Scale {
  const { least = -Infinity, most = Infinity, whole = false } = limits;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spread = high - low || Math.max(Math.abs(high) * 0.1, whole ? 2 : 0.01);
  const [a, b] = [Math.max(least, low - spread * ROOM), Math.min(most, high + spread * ROOM)];
  const rough = (b - a || spread) / Math.max(1, steps);
  const size = 10 ** Math.floor(Math.log10(rough));
  const found = [1, 2, 2.5, 5, 10].find((n) => n * size >= rough * 0.999) ?? 10;
  const step = whole ? Math.max(1, Math.ceil(found * size)) : found * size;
  const first = Math.max(Math.floor(a / step), Math.ceil(least / step - 1e-9));
  const last = Math.min(Math.ceil(b / step), Math.floor(most / step + 1e-9));
  const ticks: number[] = [];
  for (let n = first; n <= last && ticks.length < 50; n += 1) {
    ticks.push(Number((n * step).toPrecision(12)));
  }
  const [from = a, to = b] = [ticks[0], ticks.at(-1)];
  return from < to ? { from, to, ticks } : { from: a, to: b, ticks: [a, b] };
}

/** An axis with zero among its ticks, for values of which some are below it; null if none is. */
export function signedScale(values: readonly (number | null)[], whole = false): Scale | null {
  const known = values.filter((value) => value !== null);
  if (!known.some((value) => value < 0)) return null;
  const most = known.some((value) => value > 0) ? undefined : 0;
  return scaleOf([0, ...known], 4, { whole, ...(most === 0 && { most }) });
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Named {
  x: number;
  y: number;
  /** The drawn length of its name. */
  width: number;
}

const HEIGHT = 16;
const APART = 9;

const over = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

/** A line as the small boxes it crosses. */
export function boxesOf(x1: number, y1: number, x2: number, y2: number): Box[] {
  const steps = Math.ceil(Math.hypot(x2 - x1, y2 - y1) / 6);
  return Array.from({ length: steps }, (_, n) => {
    const along = (n + 0.5) / steps;
    const [x, y] = [x1 + (x2 - x1) * along, y1 + (y2 - y1) * along];
    return { x: x - 3, y: y - 2, width: 6, height: 4 };
  });
}

/** Places each point's label beside, above or below it, with the least overlap. */
export function placeNames(
  points: readonly Named[],
  within: Box,
  lines: readonly Box[] = [],
): Box[] {
  const dots = points.map(({ x, y }) => ({ x: x - 6, y: y - 6, width: 12, height: 12 }));
  const placed: Box[] = [];
  for (const [at, { x, y, width }] of points.entries()) {
    const [left, mid, right] = [x - APART - width, x - width / 2, x + APART];
    const [above, beside, below] = [y - APART - HEIGHT, y - HEIGHT / 2, y + APART];
    const places: [number, number][] = [
      [right, beside],
      [left, beside],
      [mid, above],
      [mid, below],
      [right, above],
      [right, below],
      [left, above],
      [left, below],
      [right, above - HEIGHT],
      [right, below + HEIGHT],
      [left, above - HEIGHT],
      [left, below + HEIGHT],
    ];
    const boxes = places.map(([px, py]) => ({ x: px, y: py, width, height: HEIGHT }));
    const cost = (box: Box) => {
      const outside = width * HEIGHT - over(box, within);
      const onNames = placed.reduce((sum, other) => sum + over(box, other), 0);
      const onDots = dots.reduce((sum, dot, i) => sum + (i === at ? 0 : over(box, dot)), 0);
      const onLines = lines.reduce((sum, line) => sum + over(box, line), 0);
      return outside * 4 + onNames * 3 + onDots + onLines * 0.5;
    };
    const best = boxes.reduce((a, b) => (cost(b) < cost(a) - 0.01 ? b : a));
    placed.push(best);
  }
  return placed;
}
