import type { components } from '#/api/schema.gen';
import { day } from '#/ui/format';

export type DateFormat = components['schemas']['DateFormat'];

export const DATE_FORMATS: readonly { value: DateFormat; label: string }[] = [
  { value: 'dmy', label: 'Day, month, year' },
  { value: 'mdy', label: 'Month, day, year' },
  { value: 'ymd', label: 'Year, month, day' },
  { value: 'excel', label: 'Excel’s own dates' },
];

/** How a cell parses in a format, for the preview beside the choice; null if it does not. */
export function readDate(raw: string, format: DateFormat): string | null {
  if (format === 'excel') {
    const serial = Number(raw);
    if (!Number.isFinite(serial) || serial < 1) return null;
    return day(new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * 86_400_000).toISOString());
  }
  const [a, b, c] = (raw.match(/\d+/g) ?? []).map(Number);
  if (a === undefined || b === undefined || c === undefined) return null;
  const [y, m, d] = format === 'ymd' ? [a, b, c] : format === 'mdy' ? [c, a, b] : [c, b, a];
  const year = y < 100 ? 2000 + y : y;
  const at = new Date(Date.UTC(year, m - 1, d));
  const real = at.getUTCMonth() === m - 1 && at.getUTCDate() === d;
  return real ? day(at.toISOString()) : null;
}
