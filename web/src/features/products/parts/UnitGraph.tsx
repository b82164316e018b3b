import { useMemo } from 'react';
import { inFull } from '#/ui/format';
import type { UnitSet } from '../unitForm';
import { type Edge, layoutUnits, NODE_HEIGHT, NODE_WIDTH, type Node } from './graph';
import classes from './UnitGraph.module.css';

interface Props {
  units: UnitSet;
  /** The code of a unit. */
  nameOf(unit: string): string;
  /** Lines that contradict others, from 0. */
  wrong?: ReadonlySet<number>;
}

const MARGIN = 3;

/** Draws how the units convert: the base at the left, the others with their size in base units. */
export function UnitGraph({ units, nameOf, wrong }: Props) {
  const { nodes, edges, width, height } = useMemo(() => layoutUnits(units), [units]);
  if (nodes.length === 0) return null;
  const base = nodes.find((node) => node.base);
  return (
    <div className={classes.scroll}>
      <svg
        className={classes.graph}
        role="img"
        aria-label={inWords(nodes, base, nameOf)}
        width={width + 2 * MARGIN}
        height={height + 2 * MARGIN}
        viewBox={`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
      >
        {edges.map((edge) => (
          <Tie key={`${edge.at}`} edge={edge} wrong={Boolean(wrong?.has(edge.at))} />
        ))}
        {nodes.map((node) => (
          <g
            key={node.unit}
            transform={`translate(${node.x} ${node.y})`}
            className={classes.node}
            data-base={node.base || undefined}
            data-loose={node.worth === null || undefined}
          >
            <rect width={NODE_WIDTH} height={NODE_HEIGHT} rx={6} />
            <text x={NODE_WIDTH / 2} y={18} className={classes.code}>
              {short(nameOf(node.unit), 11)}
            </text>
            <text x={NODE_WIDTH / 2} y={33} className={classes.worth}>
              {node.base
                ? 'base unit'
                : node.worth === null
                  ? 'not tied'
                  : short(`= ${inFull(Number(node.worth))} ${nameOf(base?.unit ?? '')}`, 15)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** A conversion: its arrow points from the larger unit to the smaller ones in it. */
function Tie({ edge, wrong }: { edge: Edge; wrong: boolean }) {
  const { from, to, factor, closing, loose } = edge;
  const [a, b] = from.x <= to.x ? [from, to] : [to, from];
  const level = a.x === b.x;
  const start = { x: a.x + NODE_WIDTH, y: a.y + NODE_HEIGHT / 2 };
  const end = { x: level ? b.x + NODE_WIDTH : b.x, y: b.y + NODE_HEIGHT / 2 };
  const bend = level ? 34 : (end.x - start.x) / 2;
  const path = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${level ? end.x + bend : end.x - bend} ${end.y} ${end.x} ${end.y}`;
  const forward = a === from;
  const tip = forward ? end : start;
  const into = forward && !level ? -1 : 1;
  const middle = { x: level ? start.x + 26 : (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  return (
    <g
      className={classes.tie}
      data-wrong={wrong || undefined}
      data-closing={closing || undefined}
      data-loose={loose || undefined}
    >
      <path d={path} />
      <path
        d={`M${tip.x + 7 * into} ${tip.y - 4}L${tip.x + 1 * into} ${tip.y}L${tip.x + 7 * into} ${tip.y + 4}`}
        className={classes.tip}
      />
      <text x={middle.x} y={middle.y + 4} className={classes.factor}>
        × {short(inFull(Number(factor)), 8)}
      </text>
    </g>
  );
}

function short(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

function inWords(nodes: readonly Node[], base: Node | undefined, nameOf: Props['nameOf']): string {
  const others = nodes.filter((node) => node !== base);
  const worth = others.map(({ unit, worth }) =>
    worth === null || !base
      ? `${nameOf(unit)} is tied to nothing`
      : `1 ${nameOf(unit)} is ${worth} ${nameOf(base.unit)}`,
  );
  const first = base ? `The base unit is ${nameOf(base.unit)}.` : 'There is no base unit.';
  return [first, ...worth.map((words) => `${words}.`)].join(' ');
}
