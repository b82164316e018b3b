import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
export type Tenders = Schemas['Tenders'];
export type TenderRow = Schemas['TenderRow'];
export type Sources = Schemas['TenderSources'];
export type Declaration = Schemas['CashDeclaration'];
export type Deposit = Schemas['CashDeposit'];
export type Look = Schemas['SettlementLook'];
export type Mapping = Schemas['SettlementMapping'];
export type Taken = Schemas['SettlementTaken'];
export type Files = Schemas['SettlementFiles'];

export const BASE = '/api/sales/tender-report';
export const KEY = ['sales', 'tender-report'] as const;

export const KINDS = [
  { value: 'cash', label: 'Cash' },
  { value: 'card', label: 'Card' },
  { value: 'eWallet', label: 'E-wallet' },
  { value: 'voucher', label: 'Voucher' },
  { value: 'onAccount', label: 'On account' },
] as const;

export const kindName = (kind: string) => KINDS.find(({ value }) => value === kind)?.label ?? kind;

export interface Asked {
  from: string;
  to: string;
  storeIds?: string;
  kinds?: string;
  only?: string;
}

export const useTenders = (query: Asked) =>
  useQuery({
    queryKey: [...KEY, 'report', query],
    queryFn: ({ signal }) => request<Tenders>('GET', BASE, { query: { ...query }, signal }),
    placeholderData: keepPreviousData,
  });

/** With at most so many settled lines. */
export const useSources = (
  at: { storeId: string; date: string; kind: string } | null,
  limit: number,
) =>
  useQuery({
    queryKey: [...KEY, 'sources', at, limit],
    queryFn: ({ signal }) =>
      request<Sources>('GET', `${BASE}/sources`, { query: { ...at, limit }, signal }),
    enabled: at !== null,
    // Fewer lines of the same figure stay until more are there, never those of another figure.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[3]) === JSON.stringify(at) ? before : undefined,
  });

/** The newest files, at most so many. */
export const useFiles = (limit: number) =>
  useQuery({
    queryKey: [...KEY, 'settlements', limit],
    queryFn: ({ signal }) =>
      request<Files>('GET', `${BASE}/settlements`, { query: { limit }, signal }),
    placeholderData: keepPreviousData,
  });

export const changed = () => queries.invalidateQueries({ queryKey: KEY });

export async function send<T>(method: string, path: string, json: unknown): Promise<T> {
  try {
    return await request<T>(method, BASE + path, { json, retryKey: crypto.randomUUID() });
  } finally {
    void changed();
  }
}

export const look = (file: File) =>
  request<Look>('POST', `${BASE}/settlements/look`, { query: { fileName: file.name }, raw: file });

/** With a reason, lines of days further back than the limit are taken too. */
export async function takeFile(
  file: File,
  mapping: Partial<Mapping>,
  reason: string,
): Promise<Taken> {
  try {
    const far = reason ? { override: true, reason } : {};
    const query = { fileName: file.name, mapping: JSON.stringify(mapping), ...far };
    return await request<Taken>('POST', `${BASE}/settlements`, { query, raw: file });
  } finally {
    void changed();
  }
}
