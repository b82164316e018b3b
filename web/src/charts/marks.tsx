// Series differ in more than colour: lines in dash and marker, areas in pattern.
import classes from './charts.module.css';

export const MARKS = 6;
/** The mark of the series that collects the rest. */
export const REST = -1;

export const colorOf = (mark: number) =>
  mark === REST ? 'var(--series-rest)' : `var(--series-${mark % MARKS})`;

const DASHES = [undefined, '7 4', '2 3', '10 3 2 3', '4 3', '12 4'] as const;

export const dashOf = (mark: number): string | undefined =>
  mark === REST ? '1 4' : DASHES[mark % MARKS];

interface ShapeProps {
  mark: number;
  cx: number;
  cy: number;
  r?: number;
}

/** The marker of a line: a circle, a square, a triangle … */
export function Marker({ mark, cx, cy, r = 3.5 }: ShapeProps) {
  const fill = colorOf(mark);
  return <path d={shape(mark, cx, cy, r)} fill={fill} stroke="var(--surface)" strokeWidth={1} />;
}

function shape(mark: number, x: number, y: number, r: number): string {
  switch (mark === REST ? 0 : mark % MARKS) {
    case 1:
      return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
    case 2:
      return `M${x} ${y - r * 1.2}L${x + r * 1.2} ${y + r}H${x - r * 1.2}z`;
    case 3:
      return `M${x} ${y - r * 1.3}L${x + r * 1.3} ${y}L${x} ${y + r * 1.3}L${x - r * 1.3} ${y}z`;
    case 4:
      return `M${x} ${y + r * 1.2}L${x + r * 1.2} ${y - r}H${x - r * 1.2}z`;
    case 5: {
      const t = r * 0.45;
      return `M${x - t} ${y - r}h${2 * t}v${r - t}h${r - t}v${2 * t}h${t - r}v${r - t}h${-2 * t}v${t - r}h${t - r}v${-2 * t}h${r - t}z`;
    }
    default:
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }
}

/** The lines drawn over the colour of an area. */
const HATCHES = [
  null,
  'M-2 2L2 -2M0 8L8 0M6 10L10 6',
  'M4 2a2 2 0 1 0 .01 0z',
  'M0 0L8 8M-2 6L2 10M6 -2L10 2',
  'M0 4H8',
  'M4 0V8',
] as const;

/** The fill of an area; each has its own pattern, so that neighbours differ without colour. */
export function Pattern({ id, mark }: { id: string; mark: number }) {
  const hatch = mark === REST ? null : HATCHES[mark % MARKS];
  return (
    <pattern id={id} width={8} height={8} patternUnits="userSpaceOnUse">
      <rect width={8} height={8} fill={colorOf(mark)} />
      {hatch && (
        <path
          d={hatch}
          stroke="var(--surface)"
          strokeWidth={1.3}
          strokeOpacity={0.75}
          fill="none"
        />
      )}
    </pattern>
  );
}

/** A series in the legend and the tooltip. */
export function Swatch({ mark, area, id }: { mark: number; area: boolean; id: string }) {
  if (!area) {
    return (
      <svg width={24} height={12} className={classes.swatch} aria-hidden="true">
        <path
          d="M0 6H24"
          stroke={colorOf(mark)}
          strokeWidth={2.2}
          strokeDasharray={dashOf(mark)}
          fill="none"
        />
        <Marker mark={mark} cx={12} cy={6} />
      </svg>
    );
  }
  return (
    <svg width={14} height={14} className={classes.swatch} aria-hidden="true">
      <defs>
        <Pattern id={id} mark={mark} />
      </defs>
      <rect width={14} height={14} rx={3} fill={`url(#${id})`} />
    </svg>
  );
}
