import { Segments } from '#/ui/Segments';
import { type UnitGroup, unitKey, unitWord } from './units';

interface Props {
  groups: readonly UnitGroup[];
  group: UnitGroup | null;
  onChange(unit: string): void;
}

/** Which unit is added up and drawn; pieces, kilograms and litres never are together. */
export function UnitChoice({ groups, group, onChange }: Props) {
  if (groups.length < 2 || !group) return null;
  return (
    <Segments
      label="Unit that is added up"
      value={unitKey(group.unit)}
      options={groups.map(({ unit }) => ({ value: unitKey(unit), label: unitWord(unit) }))}
      onChange={onChange}
    />
  );
}
