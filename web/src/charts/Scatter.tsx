import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import classes from './charts.module.css';
import { colorOf, dashOf, Marker } from './marks';
import { type Box, boxesOf, placeNames, type Scale } from './scale';

/** A point with its name. */
export interface Dot {
  id: string;
  label: string;
  x: number;
  y: number;
  mark: number;
  /** What it says, line by line, in the box under the pointer. */
  lines: readonly { label: string; value: string }[];
}

interface Axis {
  name: string;
  scale: Scale;
  short(value: number): string;
}

interface Props {
  /** The picture in words. */
  label: string;
  dots: readonly Dot[];
  /** Points that belong together, from one to the next. */
  curves: readonly (readonly string[])[];
  x: Axis;
  y: Axis;
  /** The point that the others are held against, and on which side of it is better. */
  against?: { id: string; better: 'above' | 'below' };
}

const [LEFT, RIGHT, TOP, FOOT] = [58, 16, 26, 44];
/** About how wide a letter of a name is. */
const LETTER = 6.5;
const MOST_LETTERS = 34;

/** Points by two figures, each with its name beside it. Arrows go from one to the next and read it out. */
export function Scatter({ label, dots, curves, x, y, against }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [at, setAt] = useState<number | null>(null);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const room = {
    x: LEFT,
    y: TOP,
    width: Math.max(1, size.width - LEFT - RIGHT),
    height: Math.max(1, size.height - TOP - FOOT),
  };
  const px = (value: number) =>
    room.x + ((value - x.scale.from) / (x.scale.to - x.scale.from)) * room.width;
  const py = (value: number) =>
    room.y + (1 - (value - y.scale.from) / (y.scale.to - y.scale.from)) * room.height;
  const letters = size.width < 480 ? 18 : MOST_LETTERS;
  const name = (text: string) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
  const base = dots.find(({ id }) => id === against?.id);
  const lines = [
    ...(base
      ? [
          ...boxesOf(room.x, py(base.y), room.x + room.width, py(base.y)),
          ...boxesOf(px(base.x), room.y, px(base.x), room.y + room.height),
        ]
      : []),
    ...curves.flatMap((ids) =>
      ids.slice(1).flatMap((id, i) => {
        const [a, b] = [ids[i], id].map((end) => dots.find((dot) => dot.id === end));
        return a && b ? boxesOf(px(a.x), py(a.y), px(b.x), py(b.y)) : [];
      }),
    ),
  ];
  const places = placeNames(
    dots.map((dot) => ({
      x: px(dot.x),
      y: py(dot.y),
      width: name(dot.label).length * LETTER + 4,
    })),
    { ...room, y: room.y - 10, height: room.height + 10, width: room.width + RIGHT },
    lines,
  );
  // From the left to the right, as one reads.
  const order = dots.map((_, i) => i).toSorted((a, b) => (dots[a]?.x ?? 0) - (dots[b]?.x ?? 0));
  const shown = at === null ? null : dots[at];

  function keys(event: KeyboardEvent): void {
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const here = at === null ? (move > 0 ? -1 : order.length) : order.indexOf(at);
    setAt(order[Math.min(order.length - 1, Math.max(0, here + move))] ?? null);
  }

  return (
    <div ref={box} className={classes.plotFit}>
      {size.width > 0 && (
        <svg
          className={classes.heat}
          viewBox={`0 0 ${size.width} ${size.height}`}
          preserveAspectRatio="xMinYMin"
          role="img"
          aria-label={label}
          tabIndex={0}
          onKeyDown={keys}
          onBlur={() => setAt(null)}
          onPointerLeave={() => setAt(null)}
        >
          {base && against && (
            <rect
              className={classes.betterArea}
              x={room.x}
              width={Math.max(0, px(base.x) - room.x)}
              y={against.better === 'above' ? room.y : py(base.y)}
              height={Math.max(
                0,
                against.better === 'above'
                  ? py(base.y) - room.y
                  : room.y + room.height - py(base.y),
              )}
            />
          )}
          <Axes x={x} y={y} px={px} py={py} room={room} foot={size.height - 6} />
          {base && (
            <path
              className={classes.againstLine}
              d={`M${room.x} ${py(base.y)}H${room.x + room.width}M${px(base.x)} ${room.y}V${room.y + room.height}`}
            />
          )}
          {curves.map((ids) => {
            const on = ids.flatMap((id) => dots.find((dot) => dot.id === id) ?? []);
            const mark = on[0]?.mark ?? 0;
            return (
              <polyline
                key={ids.join()}
                points={on.map((dot) => `${px(dot.x)},${py(dot.y)}`).join(' ')}
                fill="none"
                stroke={colorOf(mark)}
                strokeWidth={1.6}
                strokeDasharray={dashOf(mark)}
                strokeOpacity={0.7}
              />
            );
          })}
          {dots.map((dot, i) => {
            const place = places[i];
            return (
              <g key={dot.id} onPointerEnter={() => setAt(i)}>
                <circle cx={px(dot.x)} cy={py(dot.y)} r={14} fill="transparent" />
                {dot.id === against?.id && (
                  <circle className={classes.againstRing} cx={px(dot.x)} cy={py(dot.y)} r={9.5} />
                )}
                <Marker mark={dot.mark} cx={px(dot.x)} cy={py(dot.y)} r={at === i ? 7 : 5.5} />
                {place && (
                  <text
                    className={classes.scatterName}
                    data-against={dot.id === against?.id || undefined}
                    x={place.x + 2}
                    y={place.y + 12}
                  >
                    {name(dot.label)}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      )}
      {shown && <DotTip dot={shown} left={px(shown.x) + 14} top={py(shown.y) + 14} size={size} />}
      <p className="sr-only" aria-live="polite">
        {shown &&
          `${shown.label}: ${shown.lines.map((line) => `${line.label} ${line.value}`).join(', ')}`}
      </p>
    </div>
  );
}

interface AxesProps {
  x: Axis;
  y: Axis;
  px(value: number): number;
  py(value: number): number;
  /** Where points can be. */
  room: Box;
  /** Where the name of the axis below stands. */
  foot: number;
}

function Axes({ x, y, px, py, room, foot }: AxesProps) {
  const tickX = x.scale.ticks.filter(
    (_, i, all) => i % Math.ceil((all.length * 62) / room.width) === 0,
  );

  return (
    <>
      {y.scale.ticks.map((value) => (
        <g key={value}>
          <line
            className={classes.scatterGrid}
            x1={room.x}
            x2={room.x + room.width}
            y1={py(value)}
            y2={py(value)}
          />
          <text className={classes.scatterTick} x={room.x - 8} y={py(value) + 4} textAnchor="end">
            {y.short(value)}
          </text>
        </g>
      ))}
      {tickX.map((value) => (
        <text
          key={value}
          className={classes.scatterTick}
          x={px(value)}
          y={room.y + room.height + 17}
          textAnchor="middle"
        >
          {x.short(value)}
        </text>
      ))}
      <text className={classes.scatterAxis} x={4} y={14}>
        {y.name}
      </text>
      <text className={classes.scatterAxis} x={room.x + room.width} y={foot} textAnchor="end">
        {x.name}
      </text>
    </>
  );
}

interface TipProps {
  dot: Dot;
  left: number;
  top: number;
  /** The size of the picture, which the box stays within. */
  size: { width: number; height: number };
}

function DotTip({ dot, left, top, size }: TipProps) {
  return (
    <div
      className={`${classes.tip} ${classes.heatTip}`}
      style={{
        left: Math.max(0, Math.min(left, size.width - 240)),
        top: Math.max(0, Math.min(top, size.height - 40 - dot.lines.length * 18)),
      }}
    >
      <p className={classes.tipTitle}>{dot.label}</p>
      {dot.lines.map((line) => (
        <div key={line.label} className={classes.tipPair}>
          <span>{line.label}</span>
          <span className="num">{line.value}</span>
        </div>
      ))}
    </div>
  );
}
