import type { Body } from '#/api/operations';
import { plural } from '#/ui/format';
import { type Day, type Layout, layoutName, type Sent } from './api';

/** A record to withdraw, with its store and day. */
export type Leaving = Pick<Sent, 'layout' | 'externalId'> & Pick<Day, 'storeId' | 'date'>;

/** Whether a day can be exported, perhaps once more. */
export const mayGo = ({ reasons, lines }: Day): boolean => reasons.length === 0 && lines > 0;

/** The record that withdrawing a day withdraws: the one of this layout, else the one it went as. */
export function recordOf({ sentAs }: Day, layout: Layout): Sent | undefined {
  const current = sentAs.filter(({ withdrawn }) => !withdrawn);
  return current.find((record) => record.layout === layout) ?? current[0];
}

/** The records to withdraw of some days; days that did not go have none. */
export const leavingOf = (rows: readonly Day[], layout: Layout): Leaving[] =>
  rows.flatMap((row) => {
    const record = recordOf(row, layout);
    if (!record) return [];
    const { storeId, date } = row;
    return [{ storeId, date, layout: record.layout, externalId: record.externalId }];
  });

type Request = Body<'POST', '/api/sales/netsuite/withdraw'>;

/** The most days of one request. */
const MOST_DAYS = 1000;

/** The days of each layout. */
function daysByLayout(records: readonly Leaving[]): Pick<Request, 'layout' | 'days'>[] {
  const layouts = [...new Set(records.map(({ layout }) => layout))];
  return layouts.map((layout) => ({
    layout,
    days: records
      .filter((record) => record.layout === layout)
      .map(({ storeId, date }) => ({ storeId, date })),
  }));
}

/** Requests for each layout, of as many days as one may have. */
export const requestsOf = (records: readonly Leaving[], reason: string): Request[] =>
  daysByLayout(records).flatMap(({ layout, days }) =>
    Array.from({ length: Math.ceil(days.length / MOST_DAYS) }, (_, at) => ({
      layout,
      reason,
      days: days.slice(at * MOST_DAYS, (at + 1) * MOST_DAYS),
    })),
  );

/** «3 days as Cash Sale, 1 day as Invoice» */
export const countsOf = (records: readonly Leaving[]): string =>
  daysByLayout(records)
    .map(({ layout, days }) => `${plural(days.length, 'day')} as ${layoutName(layout)}`)
    .join(', ');
