// The parameters in the address.
import { addDays, isDay, type Range } from '#/ui/dates';
import type { Daypart } from './api';

export type Against = Range;

export const DAYPARTS: readonly { value: Daypart; label: string; hours: string }[] = [
  { value: 'breakfast', label: 'Breakfast', hours: '5–11' },
  { value: 'lunch', label: 'Lunch', hours: '11–14' },
  { value: 'merienda', label: 'Merienda', hours: '14–17' },
  { value: 'dinner', label: 'Dinner', hours: '17–21' },
  { value: 'late', label: 'Late', hours: '21–5' },
];

export const daypartLabel = (part: string): string => {
  const found = DAYPARTS.find(({ value }) => value === part);
  return found ? `${found.label}, ${found.hours} o’clock` : 'Whole day';
};

export const AGAINST = [
  { value: '', label: 'Compare with nothing' },
  { value: 'before', label: 'Compare with the days before' },
  { value: 'year', label: 'Compare with a year before' },
  { value: 'own', label: 'Compare with chosen days' },
] as const;

const dayCount = ({ from, to }: Range) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;

/** The comparison range: as many days before, the same weekdays a year before, or the chosen one. */
export function againstOf(get: (name: string) => string, range: Range): Against | null {
  const days = dayCount(range);
  const before = { from: addDays(range.from, -days), to: addDays(range.from, -1) };
  switch (get('against')) {
    case 'before':
      return before;
    case 'year':
      return { from: addDays(range.from, -364), to: addDays(range.to, -364) };
    case 'own': {
      const [from, to] = [get('since'), get('until')];
      return isDay(from) && isDay(to) && from <= to ? { from, to } : before;
    }
    default:
      return null;
  }
}
