// How complete the imported sales are, in words and counts.
import { to } from '#/paths';
import { day, money, plural } from '#/ui/format';
import type { Coverage, CoverageDay } from '../forecastApi';

export type DayState = CoverageDay['state'];
export type StoreDays = Coverage['stores'][number];

/** How a day's state is told; a sign stands beside the colour, for those who do not see it. */
export const STATES: Readonly<Record<DayState, { label: string; sign: string }>> = {
  complete: { label: 'Complete', sign: '' },
  partial: { label: 'Partial', sign: '/' },
  missing: { label: 'Missing', sign: '×' },
  mismatch: { label: 'Not as the Z-reading', sign: '≠' },
  closed: { label: 'Closed', sign: '–' },
};

export const STATE_ORDER = Object.keys(STATES) as readonly DayState[];

/** Days of each state in all stores. */
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

/** A percentage of the server, 98.2 of 100; «100%» only where nothing is missing. */
export function percentLabel(value: number | null | undefined): string {
  if (value == null) return '–';
  const shown = value < 100 ? Math.min(99.9, Math.round(value * 10) / 10) : 100;
  return `${shown}%`;
}

/** What a store-day stands at, in a sentence. */
export function dayLabel({ state, lines, net, why }: CoverageDay, date: string): string {
  const figures = lines > 0 ? `, ${plural(lines, 'line')}, ${money(Number(net))}` : '';
  return `${day(date)}: ${STATES[state].label}${figures}.${why ? ` ${why}` : ''}`;
}

/** Where a store-day leads: what is there to its lines, what is missing to the import; a closed day nowhere. */
export function targetOf(storeId: string, date: string, { state, lines }: CoverageDay) {
  if (lines > 0) {
    const [year = '', month = '', of = ''] = date.split('-');
    return to('toolsImportSalesDay', { storeId, year, month, day: of });
  }
  if (state === 'closed') return null;
  return to('toolsImportSales', null, { storeIds: storeId, from: date, to: date });
}

/** What is wrong with a store-day, inside a sentence. */
const GAPS = {
  missing: 'missing',
  partial: 'partial',
  mismatch: 'not as the Z-reading',
} as const;

/** What is known of all stores, in a sentence. */
export function coverageLabel(coverage: Coverage): string {
  const found = tally(coverage.stores);
  const gaps = (['missing', 'partial', 'mismatch'] as const).flatMap((state) =>
    found[state] > 0 ? [`${plural(found[state], 'store day')} ${GAPS[state]}`] : [],
  );
  const share = `${percentLabel(coverage.percent)} of store days are complete`;
  return gaps.length > 0 ? `${share}; ${gaps.join(', ')}.` : `${share}.`;
}
