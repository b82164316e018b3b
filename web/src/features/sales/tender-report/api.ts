import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { Body } from '#/api/operations';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
export type Tenders = Schemas['Tenders'];
/** `coversFrom`: the first of the days compared together, if one Z-reading covers several. */
export type TenderRow = Schemas['TenderRow'] & { coversFrom?: string | null };
export type TenderPair = Schemas['TenderPair'];
export type TenderSettings = Schemas['TenderSettings'];
export type TenderSums = Schemas['TenderSums'];
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
  only?: 'missing' | 'late' | 'differs' | 'undeclared';
}

export const useTenders = (query: Asked) =>
  useQuery({
    queryKey: [...KEY, 'report', query],
    queryFn: ({ signal }) => request('GET', BASE, { query: { ...query }, signal }),
    placeholderData: keepPreviousData,
  });

export const PAIRS: Readonly<Record<string, string>> = {
  fileReading: 'Sales file – Z-reading',
  readingDeclared: 'Z-reading – declared',
  declaredDeposited: 'Declared – deposited',
  declaredSettled: 'Declared – settled and fee',
};

/** At most `limit` settled lines. */
export const useSources = (
  at: { storeId: string; date: string; kind: string } | null,
  limit: number,
) =>
  useQuery({
    queryKey: [...KEY, 'sources', at, limit],
    queryFn: at
      ? ({ signal }) => request('GET', `${BASE}/sources`, { query: { ...at, limit }, signal })
      : skipToken,
    // Fewer lines of the same figure stay until more have loaded, never those of another figure.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[3]) === JSON.stringify(at) ? before : undefined,
  });

/** The newest files, at most `limit`. */
export const useFiles = (limit: number) =>
  useQuery({
    queryKey: [...KEY, 'settlements', limit],
    queryFn: ({ signal }) => request('GET', `${BASE}/settlements`, { query: { limit }, signal }),
    placeholderData: keepPreviousData,
  });

export const changed = () => queries.invalidateQueries({ queryKey: KEY });

async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    void changed();
  }
}

/** Saves a declaration; without an id a new one. */
export const saveDeclaration = (
  id: string | undefined,
  json: Body<'POST', '/api/sales/tender-report/declarations'>,
) => {
  const retryKey = crypto.randomUUID();
  return changing(
    id === undefined
      ? request('POST', `${BASE}/declarations`, { json, retryKey })
      : request('PATCH', `${BASE}/declarations/{id}`, { path: { id }, json, retryKey }),
  );
};

/** Saves a deposit; without an id a new one. */
export const saveDeposit = (
  id: string | undefined,
  json: Body<'POST', '/api/sales/tender-report/deposits'>,
) => {
  const retryKey = crypto.randomUUID();
  return changing(
    id === undefined
      ? request('POST', `${BASE}/deposits`, { json, retryKey })
      : request('PATCH', `${BASE}/deposits/{id}`, { path: { id }, json, retryKey }),
  );
};

/** A voided declaration or deposit. */
export interface Voided {
  kind: 'declarations' | 'deposits';
  id: string;
  revision: number;
}

export const voidEntry = ({ kind, id, revision }: Voided, reason: string) =>
  changing(
    request('POST', `${BASE}/${kind}/{id}/void`, {
      path: { id },
      json: { reason, revision },
      retryKey: crypto.randomUUID(),
    }),
  );

/** Sets the store of a settlement terminal. */
export const placeTerminal = (terminal: string, storeId: string) =>
  changing(
    request('PUT', `${BASE}/settlements/terminals`, {
      json: { terminal, storeId },
      retryKey: crypto.randomUUID(),
    }),
  );

export const look = (file: File) =>
  request('POST', `${BASE}/settlements/look`, { query: { fileName: file.name }, raw: file });

/** With a reason, lines of days before the limit are accepted too. */
export async function takeFile(
  file: File,
  mapping: Partial<Mapping>,
  reason: string,
): Promise<Taken> {
  try {
    const far = reason ? { override: true, reason } : {};
    const query = { fileName: file.name, mapping: JSON.stringify(mapping), ...far };
    return await request('POST', `${BASE}/settlements`, { query, raw: file });
  } finally {
    void changed();
  }
}
