// Lays out the drawing of a product's units: the base at the left, each unit one column
// further per conversion, branches below one another.

import type { UnitSet } from '../unitForm';
import { FACTOR_PLACES, formatFixed, type Line, Units } from '../units';

export interface Node {
  unit: string;
  x: number;
  y: number;
  /** How many base units one is; null if no conversions lead to the base. */
  worth: string | null;
  base: boolean;
}

export interface Edge {
  /** The product's line, from 0. */
  at: number;
  from: Node;
  to: Node;
  factor: string;
  /** It closes a cycle: another chain gives the same conversion. */
  closing: boolean;
  /** Its units are not connected to the base. */
  loose: boolean;
}

export interface Drawing {
  nodes: Node[];
  edges: Edge[];
  width: number;
  height: number;
}

export const NODE_WIDTH = 92;
export const NODE_HEIGHT = 42;
const ACROSS = 78;
const DOWN = 14;

/** Keeps the order of the conversions, so that nothing jumps while one is added. */
export function layoutUnits({ base, selling, others, lines }: UnitSet): Drawing {
  const named = [base, selling, ...others, ...lines.flatMap(({ from, to }) => [from, to])];
  const units = [...new Set(named.filter((unit): unit is string => Boolean(unit)))];
  const sound = lines.filter(({ from, to, factor }) => from !== to && factor > 0n);
  const known = base === null ? null : new Units(base, sound);
  const near = (unit: string) =>
    sound.flatMap(({ from, to }) => (from === unit ? [to] : to === unit ? [from] : []));

  const places = new Map<string, { column: number; row: number }>();
  const parent = new Map<string, string>();
  let row = 0;

  /** Places a unit and its branches; it is level with the first branch. */
  const place = (unit: string, column: number, below: ReadonlyMap<string, string[]>) => {
    places.set(unit, { column, row });
    const branches = below.get(unit) ?? [];
    branches.forEach((branch, i) => {
      if (i > 0) row += 1;
      place(branch, column + 1, below);
    });
  };
  const tree = (root: string) => {
    const below = new Map<string, string[]>();
    const seen = new Set([root]);
    let reached = [root];
    while (reached.length > 0) {
      const next: string[] = [];
      for (const unit of reached) {
        for (const other of near(unit)) {
          if (seen.has(other) || places.has(other)) continue;
          seen.add(other);
          parent.set(other, unit);
          below.set(unit, [...(below.get(unit) ?? []), other]);
          next.push(other);
        }
      }
      reached = next;
    }
    place(root, 0, below);
    row += 1;
  };
  // The base first; units not connected to it are placed below.
  for (const unit of units) if (!places.has(unit)) tree(unit);

  const nodes = units.map((unit): Node => {
    const at = places.get(unit) ?? { column: 0, row: 0 };
    const worth = known?.factor(unit, base ?? '') ?? null;
    return {
      unit,
      x: at.column * (NODE_WIDTH + ACROSS),
      y: at.row * (NODE_HEIGHT + DOWN),
      worth: worth === null ? null : formatFixed(worth, FACTOR_PLACES),
      base: unit === base,
    };
  });
  const node = (unit: string) => nodes.find((one) => one.unit === unit);
  const edges = lines.flatMap((line): Edge[] => {
    const [from, to] = [node(line.from), node(line.to)];
    if (!from || !to || from === to) return [];
    const closing = parent.get(line.from) !== line.to && parent.get(line.to) !== line.from;
    return [
      { at: line.at, from, to, factor: factorText(line), closing, loose: from.worth === null },
    ];
  });
  const far = (of: (one: Node) => number) => Math.max(0, ...nodes.map(of));
  return {
    nodes,
    edges,
    width: far(({ x }) => x) + NODE_WIDTH,
    height: far(({ y }) => y) + NODE_HEIGHT,
  };
}

function factorText({ factor }: Line): string {
  return formatFixed(factor, FACTOR_PLACES);
}
