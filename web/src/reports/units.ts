import { count, plural } from '#/ui/format';

/** Something measured in a unit; null if the unit is unknown. */
export interface InUnit {
  unit?: string | null;
}

export interface UnitGroup {
  unit: string | null;
  items: number;
}

/** The units of some rows, the most frequent first; quantities add up only within one. */
export function unitsOf(rows: readonly InUnit[]): UnitGroup[] {
  const counts = new Map<string | null, number>();
  for (const { unit = null } of rows) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  return [...counts]
    .map(([unit, items]) => ({ unit, items }))
    .sort((a, b) => b.items - a.items || (a.unit ?? '').localeCompare(b.unit ?? ''));
}

/** A unit's value in the address and the choice; an empty one would mean no choice. */
export const unitKey = (unit: string | null): string => unit ?? '?';

/** The unit whose quantities are summed: the chosen one, else the most frequent. */
export function chosenUnit(groups: readonly UnitGroup[], wished: string): UnitGroup | null {
  return groups.find(({ unit }) => unitKey(unit) === wished) ?? groups[0] ?? null;
}

/** A unit's label in the choice. */
export const unitWord = (unit: string | null): string => unit ?? 'No unit';

/** `Total of 41 in kg`: names what a sum covers. */
export function footLabel(
  groups: readonly UnitGroup[],
  group: UnitGroup | null,
  all: number,
  filtered: boolean,
): string {
  if (!group || groups.length < 2) return filtered ? `Total of ${count(all)} shown` : 'Total';
  return group.unit
    ? `Total of ${group.items} in ${group.unit}`
    : `${plural(group.items, 'item')} without a unit`;
}
