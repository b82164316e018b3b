// Lines that belong to others: the parts of a combo, and modifiers.
import type { SalesLine } from '../types';

export const keyOf = ({ source, place }: SalesLine) => `${source}-${place}`;

export const nameOf = ({ posItemName, sourceItem }: SalesLine) => posItemName ?? sourceItem;

const parentKey = ({ source, parent }: SalesLine) =>
  parent == null ? null : `${source}-${parent}`;

/** The lines by their keys, and those that belong to each. */
interface Families {
  of: ReadonlyMap<string, SalesLine>;
  parts: ReadonlyMap<string, SalesLine[]>;
}

const known = new WeakMap<readonly SalesLine[], Families>();

/** A day has thousands of lines, each of which is asked for while it is drawn. */
function familiesOf(lines: readonly SalesLine[]): Families {
  const before = known.get(lines);
  if (before) return before;
  const of = new Map(lines.map((line) => [keyOf(line), line]));
  const parts = new Map<string, SalesLine[]>();
  for (const line of lines) {
    const key = parentKey(line);
    if (key === null || !of.has(key)) continue;
    const family = parts.get(key);
    if (family) family.push(line);
    else parts.set(key, [line]);
  }
  const families = { of, parts };
  known.set(lines, families);
  return families;
}

/** The line that a line belongs to. */
export function parentOf(lines: readonly SalesLine[], line: SalesLine): SalesLine | null {
  const key = parentKey(line);
  return key === null ? null : (familiesOf(lines).of.get(key) ?? null);
}

/** The lines that belong to a line. */
export function belongingTo(lines: readonly SalesLine[], line: SalesLine): readonly SalesLine[] {
  return familiesOf(lines).parts.get(keyOf(line)) ?? [];
}

/** The lines in their order, but those that belong to one right below it. */
export function inFamilies(lines: readonly SalesLine[]): SalesLine[] {
  return lines
    .filter((line) => parentOf(lines, line) === null)
    .flatMap((line) => [line, ...belongingTo(lines, line)]);
}
