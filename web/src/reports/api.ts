import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request, requestAt } from '#/api/client';
import type { Answer, PathOf } from '#/api/operations';
import type { components } from '#/api/schema.gen';
import { queryString } from '#/paths';

type Schemas = components['schemas'];
export type Gap = Schemas['Gap'];
export type SalesLine = Schemas['BreakdownPart'];
export type SalesLines = Schemas['Breakdown'];

/** The parameters of every report. */
export interface Filters {
  from: string;
  to: string;
  storeIds: readonly string[];
  areaIds: readonly string[];
}

type Extra = Record<string, string | undefined>;

type NameIn<P extends PathOf<'GET'>, A> = P extends `/api/reports/${infer Name}`
  ? Name extends `${string}/${string}`
    ? never
    : Answer<'GET', P> extends A
      ? Name
      : never
  : never;

/** The wire names of the reports that answer with `A`. */
export type ReportNamed<A> = string & { [P in PathOf<'GET'>]: NameIn<P, A> }[PathOf<'GET'>];

const flat = ({ from, to, storeIds, areaIds }: Filters, extra: Extra) => ({
  from,
  to,
  storeIds: storeIds.join(',') || undefined,
  areaIds: areaIds.join(',') || undefined,
  ...extra,
});

/** A report's data; the old data stays while another range loads. */
export function useReportData<T>(
  report: ReportNamed<T>,
  filters: Filters,
  extra: Extra = {},
  on = true,
) {
  const query = flat(filters, extra);
  return useQuery({
    queryKey: ['reports', report, query],
    queryFn: ({ signal }) => requestAt<T>('GET', `/api/reports/${report}`, { query, signal }),
    placeholderData: keepPreviousData,
    enabled: on,
  });
}

export function exportHref(report: string, filters: Filters, extra: Extra = {}) {
  return (format: 'csv' | 'xlsx') =>
    `/api/reports/${report}/export${queryString(flat(filters, { ...extra, format }))}`;
}

/** The parts of a figure, one page of them. */
export function fetchLines(
  filters: Filters,
  item: { rootItemId: string } | { posItemId: string },
  page: number,
  pageSize: number,
  signal: AbortSignal,
): Promise<SalesLines> {
  return request('GET', '/api/reports/lines', {
    query: flat(filters, { ...item, page: String(page), pageSize: String(pageSize) }),
    signal,
  });
}

/** The last weeks with sales, whenever they were; null if there are none. */
export async function latestSales(now: string): Promise<{ from: string; to: string } | null> {
  const years = 11;
  const from = `${Number(now.slice(0, 4)) - years}-01-01`;
  const filters = { from, to: now, storeIds: [], areaIds: [] };
  const all = await request('GET', '/api/reports/weekly-root-item-sales', {
    query: flat(filters, { by: 'pos' }),
  });
  const sold = (at: number) => Boolean(all.totals?.[at] || all.net[at]);
  const last = all.weeks.findLastIndex((_, at) => sold(at));
  const week = all.weeks[last];
  if (!week) return null;
  const first =
    all.weeks[
      Math.max(
        0,
        last - 12,
        all.weeks.findIndex((_, at) => sold(at)),
      )
    ] ?? week;
  return {
    from: first,
    to: new Date(Date.parse(week) + 6 * 86_400_000).toISOString().slice(0, 10),
  };
}
