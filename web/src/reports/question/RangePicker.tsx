import { RangeChoice } from '#/ui/DateRange';
import type { Range } from '#/ui/dates';
import { type ChosenRange, namedRanges } from './ranges';
import { span } from './weeks';

interface Props {
  value: ChosenRange;
  onChange(range: Range | { id: string }): void;
}

/** From and to: a named range, or two dates of the calendar. */
export function RangePicker({ value, onChange }: Props) {
  return (
    <RangeChoice
      value={value}
      words={span(value)}
      named={namedRanges.map(({ id, label }) => ({ key: id, label, chosen: id === value.id }))}
      onName={(id) => onChange({ id })}
      onChange={onChange}
    />
  );
}
