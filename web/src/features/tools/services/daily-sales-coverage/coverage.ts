// Texts and counts about how complete the imported sales are.
import { to } from '#/paths';
import { day, money, plural } from '#/ui/format';
import type { Coverage, CoverageDay } from '../forecastApi';

export type DayState = CoverageDay['state'];
export type StoreDays = Coverage['stores'][number];

/** A day's state: label, colour, and a sign for colour-blind users. */
export const STATES: Readonly<Record<DayState, { label: string; sign: string }>> = {
  complete: { label: 'Complete', sign: '' },
  partial: { label: 'Partial', sign: '/' },
  missing: { label: 'Missing', sign: '×' },
  mismatch: { label: 'Not as the Z-reading', sign: '≠' },
  closed: { label: 'Closed', sign: '–' },
};

export const STATE_ORDER = Object.keys(STATES) as readonly DayState[];

/** Days of each state over all stores. */
export function tally(stores: readonly StoreDays[]): Record<DayState, number> {
  const found = { complete: 0, partial: 0, missing: 0, mismatch: 0, closed: 0 };
  for (const { days } of stores) for (const { state } of days) found[state] += 1;
  return found;
}

export const hasGaps = ({ complete, expected }: StoreDays): boolean => complete < expected;

/** Stores with the most gaps first, then by name. */
export function worstFirst(
  stores: readonly StoreDays[],
  nameOf: (id: string) => string,
): StoreDays[] {
  const gaps = ({ complete, expected }: StoreDays) => expected - complete;
  return stores.toSorted(
    (a, b) => gaps(b) - gaps(a) || nameOf(a.storeId).localeCompare(nameOf(b.storeId)),
  );
}

/** A percentage from the server, 98.2 of 100; «100%» only if nothing is missing. */
export function percentLabel(value: number | null | undefined): string {
  if (value == null) return '–';
  const shown = value < 100 ? Math.min(99.9, Math.round(value * 10) / 10) : 100;
  return `${shown}%`;
}

/** A store-day's state as a sentence. */
export function dayLabel({ state, lines, net, why }: CoverageDay, date: string): string {
  const figures = lines > 0 ? `, ${plural(lines, 'line')}, ${money(Number(net))}` : '';
  return `${day(date)}: ${STATES[state].label}${figures}.${why ? ` ${why}` : ''}`;
}

/** A store-day's link: to its lines if imported, to the import if missing; none for a closed day. */
export function targetOf(storeId: string, date: string, { state, lines }: CoverageDay) {
  if (lines > 0) {
    const [year = '', month = '', of = ''] = date.split('-');
    return to('toolsImportSalesDay', { storeId, year, month, day: of });
  }
  if (state === 'closed') return null;
  return to('toolsImportSales', null, { storeIds: storeId, from: date, to: date });
}

/** A store-day's problem, inside a sentence. */
const GAPS = {
  missing: 'missing',
  partial: 'partial',
  mismatch: 'not as the Z-reading',
} as const;

/** All stores' coverage as a sentence. */
export function coverageLabel(coverage: Coverage): string {
  const found = tally(coverage.stores);
  const gaps = (['missing', 'partial', 'mismatch'] as const).flatMap((state) =>
    found[state] > 0 ? [`${plural(found[state], 'store day')} ${GAPS[state]}`] : [],
  );
  const share = `${percentLabel(coverage.percent)} of store days are complete`;
  return gaps.length > 0 ? `${share}; ${gaps.join(', ')}.` : `${share}.`;
}
