import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { Body } from '#/api/operations';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
export type Cmsr = Schemas['Cmsr'];
/** `readOn`: the later day whose Z-reading has its figures. */
export type CmsrDay = Schemas['CmsrDay'] & { readOn?: string | null };
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
  request('GET', BASE, { query: { storeId, month }, signal });

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
      request('GET', `${BASE}/version`, {
        query: { storeId, month, version: version ?? 0 },
        signal,
      }),
    enabled: version !== null,
  });

export const useYear = (year: number, enabled: boolean) =>
  useQuery({
    queryKey: [...KEY, 'year', year],
    queryFn: ({ signal }) => request('GET', `${BASE}/year`, { query: { year }, signal }),
    placeholderData: keepPreviousData,
    enabled,
  });

/** Takes a step, or changes a day or a lessor's columns; then refetches the month. */
export async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    void queries.invalidateQueries({ queryKey: KEY });
  }
}

type Month = { storeId: string; month: string };

export const steps = {
  certify: (of: Month, by: { name: string; position: string }) =>
    changing(request('POST', `${BASE}/certify`, { json: { ...of, ...by } })),
  submit: (of: Month) => changing(request('POST', `${BASE}/submit`, { json: of })),
  amend: (of: Month, reason: string) =>
    changing(request('POST', `${BASE}/amend`, { json: { ...of, reason } })),
};

export const setLayout = (json: Schemas['LessorLayout']) =>
  changing(request('PUT', `${BASE}/layout`, { json }));

type DayDraft = Body<'PUT', '/api/sales/cmsr/days'>;

/** An invalid correction is sent as typed: the server reports the error. */
export const setDay = (
  json: Omit<DayDraft, 'corrections'> & { corrections: Record<string, number | string> },
) => changing(request('PUT', `${BASE}/days`, { json: json as DayDraft }));

/** Every figure of a day with its label, in the order of the forms. */
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
