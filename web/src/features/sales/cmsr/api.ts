import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
export type Cmsr = Schemas['Cmsr'];
export type CmsrDay = Schemas['CmsrDay'];
export type Content = Schemas['CmsrContent'];
export type Figure = Schemas['CmsrFigure'];
export type Layout = Schemas['CmsrLayout'];
export type Changed = Schemas['CmsrChange'];
export type Year = Schemas['CmsrYear'];
export type Glance = Schemas['CmsrGlance'];

const BASE = '/api/sales/cmsr';
export const KEY = ['sales', 'cmsr'] as const;

export const exportHref = (storeId: string, month: string) => (format: 'csv' | 'xlsx') =>
  `${BASE}/export?storeId=${encodeURIComponent(storeId)}&month=${month}&format=${format}`;

export const askMonth = (storeId: string, month: string, signal?: AbortSignal) =>
  request<Cmsr>('GET', BASE, { query: { storeId, month }, signal });

export const useMonth = (storeId: string, month: string) =>
  useQuery({
    queryKey: [...KEY, 'month', storeId, month],
    queryFn: ({ signal }) => askMonth(storeId, month, signal),
    placeholderData: keepPreviousData,
    enabled: storeId !== '',
  });

export const useVersion = (storeId: string, month: string, version: number | null) =>
  useQuery({
    queryKey: [...KEY, 'version', storeId, month, version],
    queryFn: ({ signal }) =>
      request<Content>('GET', `${BASE}/version`, {
        query: { storeId, month, version: String(version) },
        signal,
      }),
    enabled: version !== null,
  });

export const useYear = (year: number, enabled: boolean) =>
  useQuery({
    queryKey: [...KEY, 'year', year],
    queryFn: ({ signal }) =>
      request<Year>('GET', `${BASE}/year`, { query: { year: String(year) }, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });

/** Takes a step, or says something of a day; the answer is the month as it stands then. */
export async function send<T = Cmsr>(method: string, path: string, json: unknown): Promise<T> {
  try {
    return await request<T>(method, BASE + path, { json });
  } finally {
    void queries.invalidateQueries({ queryKey: KEY });
  }
}

/** Every figure of a day with its name, as forms order them. */
export const FIGURES: readonly { figure: Figure; title: string; fixed?: true }[] = [
  { figure: 'zGross', title: 'Gross by Z-reading', fixed: true },
  { figure: 'notSold', title: 'Voids, returns, VAT adjustment', fixed: true },
  { figure: 'gross', title: 'Gross sales' },
  { figure: 'vatable', title: 'VATable sales, net' },
  { figure: 'exempt', title: 'VAT-exempt sales, net' },
  { figure: 'zeroRated', title: 'Zero-rated sales' },
  { figure: 'vat', title: 'VAT' },
  { figure: 'approvedPromo', title: 'Approved promos' },
  { figure: 'unapprovedPromo', title: 'Unapproved promos' },
  { figure: 'employee', title: 'Employee discount' },
  { figure: 'senior', title: 'Senior citizen discount' },
  { figure: 'pwd', title: 'PWD discount' },
  { figure: 'vip', title: 'VIP discount' },
  { figure: 'otherStatutory', title: 'Other discounts by law' },
  { figure: 'localTax', title: 'Local tax' },
  { figure: 'serviceDistributed', title: 'Service charge, distributed' },
  { figure: 'serviceRetained', title: 'Service charge, retained' },
  { figure: 'net', title: 'Net sales', fixed: true },
];

export const figureName = (figure: string) =>
  FIGURES.find((one) => one.figure === figure)?.title ?? figure;
