import { count, plural } from '#/ui/format';

/** Something reckoned in a unit; none where its unit is not known. */
export interface InUnit {
  unit?: string | null;
}

export interface UnitGroup {
  unit: string | null;
  items: number;
}

/** The units of some rows, that of the most rows first; only within one may quantities be added. */
export function unitsOf(rows: readonly InUnit[]): UnitGroup[] {
  const counts = new Map<string | null, number>();
  for (const { unit = null } of rows) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  return [...counts]
    .map(([unit, items]) => ({ unit, items }))
    .sort((a, b) => b.items - a.items || (a.unit ?? '').localeCompare(b.unit ?? ''));
}

/** How a unit is written in the address and chosen: the empty word is taken for what is not chosen. */
export const unitKey = (unit: string | null): string => unit ?? '?';

/** The unit whose quantities are added: the chosen one, else that of the most rows. */
export function chosenUnit(groups: readonly UnitGroup[], wished: string): UnitGroup | null {
  return groups.find(({ unit }) => unitKey(unit) === wished) ?? groups[0] ?? null;
}

/** What a unit is called where it is chosen. */
export const unitWord = (unit: string | null): string => unit ?? 'No unit';

/** `Total of 41 in kg`: a sum says what it is the sum of. */
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
