import { Segments } from '#/ui/Segments';
import type { Found } from './found';
import { unitKey, unitWord } from './units';

/** Which unit is drawn; pieces, kilograms and litres are never mixed. */
export function UnitChoice<A, R, C>({ units, group, state }: Found<A, R, C>) {
  if (units.length < 2 || !group) return null;
  return (
    <Segments
      label="Unit of the chart"
      value={unitKey(group.unit)}
      options={units.map(({ unit }) => ({ value: unitKey(unit), label: unitWord(unit) }))}
      onChange={(unit) => state.set({ unit, cell: null })}
    />
  );
}
