import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { Body } from '#/api/operations';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
export type Layout = Schemas['NetsuiteLayout'];
export type Mapping = Schemas['NetsuiteMapping'];
export type Field = Schemas['NetsuiteField'];
export type Day = Schemas['NetsuiteDay'];
export type Sent = Schemas['NetsuiteSent'];
export type Days = Schemas['NetsuiteDays'];
export type Preview = Schemas['NetsuitePreview'];
export type Export = Schemas['NetsuiteExport'];
export type Results = Schemas['NetsuiteResults'];

const BASE = '/api/sales/netsuite';
const KEY = ['sales', 'netsuite'] as const;

export const LAYOUTS: readonly { value: Layout; label: string }[] = [
  { value: 'cashSale', label: 'Cash Sale' },
  { value: 'invoice', label: 'Invoice' },
  { value: 'journalEntry', label: 'Journal Entry' },
];

export const layoutName = (layout: string) =>
  LAYOUTS.find(({ value }) => value === layout)?.label ?? '';

export const readLayout = (text: string): Layout =>
  LAYOUTS.find(({ value }) => value === text)?.value ?? 'cashSale';

export const fileHref = (id: string, number: number) =>
  `${BASE}/exports/${encodeURIComponent(id)}/file?number=${number}`;

/** All files of an export in one. */
export const zipHref = (id: string) => `${BASE}/exports/${encodeURIComponent(id)}/zip`;

export interface Asked {
  from: string;
  to: string;
  storeIds?: string;
  layout: Layout;
}

export const useDays = (query: Asked) =>
  useQuery({
    queryKey: [...KEY, 'days', query],
    queryFn: ({ signal }) => request('GET', BASE, { query: { ...query }, signal }),
    placeholderData: keepPreviousData,
  });

export const useMapping = (layout: Layout) =>
  useQuery({
    queryKey: [...KEY, 'mapping', layout],
    queryFn: ({ signal }) => request('GET', `${BASE}/mapping`, { query: { layout }, signal }),
  });

/** The newest exports, at most `limit`. */
export const useExports = (limit: number) =>
  useQuery({
    queryKey: [...KEY, 'exports', limit],
    queryFn: ({ signal }) => request('GET', `${BASE}/exports`, { query: { limit }, signal }),
    placeholderData: keepPreviousData,
  });

/** A day as it will be in the file; accepts unsaved columns. */
export const usePreview = (
  ask: { storeId: string; date: string; layout: Layout } | null,
  mapping: Mapping | null,
) =>
  useQuery({
    queryKey: [...KEY, 'preview', ask, mapping],
    queryFn: ask
      ? ({ signal }) => request('POST', `${BASE}/preview`, { json: { ...ask, mapping }, signal })
      : skipToken,
    placeholderData: keepPreviousData,
    retry: false,
  });

async function changing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    void queries.invalidateQueries({ queryKey: KEY });
  }
}

export const saveMapping = (layout: Layout, mapping: Mapping) =>
  changing(request('PUT', `${BASE}/mapping`, { json: { layout, mapping } }));

export const makeFiles = (json: Body<'POST', '/api/sales/netsuite/export'>) =>
  changing(request('POST', `${BASE}/export`, { json }));

/** Withdraws exported days, so that they can go again. */
export const withdraw = (json: Body<'POST', '/api/sales/netsuite/withdraw'>) =>
  changing(request('POST', `${BASE}/withdraw`, { json }));

/** Imports NetSuite's result file. */
export const takeResults = (file: File) =>
  changing(request('POST', `${BASE}/results`, { query: { fileName: file.name }, raw: file }));

/** The possible fields of a column. */
export const FIELDS: readonly { value: Field; label: string }[] = [
  { value: 'externalId', label: 'External ID' },
  { value: 'date', label: 'Date' },
  { value: 'dueDate', label: 'Due date' },
  { value: 'customerName', label: 'Customer name' },
  { value: 'customerId', label: 'Customer id' },
  { value: 'customerInternalId', label: 'Customer internal id' },
  { value: 'companyName', label: 'Company (subsidiary)' },
  { value: 'locationName', label: 'Location name' },
  { value: 'locationInternalId', label: 'Location internal id' },
  { value: 'className', label: 'Class name' },
  { value: 'classInternalId', label: 'Class internal id' },
  { value: 'storeName', label: 'Store name' },
  { value: 'storeCode', label: 'Store code' },
  { value: 'posCode', label: 'POS code' },
  { value: 'terminals', label: 'Tills' },
  { value: 'memo', label: 'Memo' },
  { value: 'lineNumber', label: 'Line number' },
  { value: 'lineName', label: 'Item or account' },
  { value: 'lineKind', label: 'What the line is' },
  { value: 'quantity', label: 'Quantity' },
  { value: 'rate', label: 'Rate' },
  { value: 'amount', label: 'Amount without VAT' },
  { value: 'taxCode', label: 'Tax code' },
  { value: 'taxAmount', label: 'Tax amount' },
  { value: 'grossAmount', label: 'Amount with VAT' },
  { value: 'debit', label: 'Debit' },
  { value: 'credit', label: 'Credit' },
  { value: 'constant', label: 'Always the same words' },
];

export const STATES: Record<
  string,
  { label: string; tone: 'ok' | 'warn' | 'danger' | 'neutral' | 'brand' }
> = {
  blocked: { label: 'Blocked', tone: 'warn' },
  ready: { label: 'Ready', tone: 'brand' },
  exported: { label: 'Exported', tone: 'neutral' },
  confirmed: { label: 'Confirmed', tone: 'ok' },
  failed: { label: 'Failed', tone: 'danger' },
  elsewhere: { label: 'Elsewhere', tone: 'neutral' },
};
