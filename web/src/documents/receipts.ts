import { IconPackageImport } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import { documentApi } from './api';
import type { DocumentDef } from './types';

export type ReceiptHead = components['schemas']['ReceiptHead'];
export type Receipt = components['schemas']['Receipt'];
export type ReceiptLine = components['schemas']['ReceiptLine'];

export const receiptDef: DocumentDef<ReceiptHead> = {
  kind: 'receipt',
  word: 'Receipt',
  key: ['stores', 'receive'],
  base: '/api/stores/receive',
  one: 'receipt',
  many: 'receipts',
  title: 'Receive',
  page: 'stores/storeReceive',
  icon: IconPackageImport,
  number: ({ receiptNo }) => receiptNo,
  date: ({ businessDate }) => businessDate,
  dateLabel: 'Received on',
  undecided: 'Differences to settle',
  href: (id) => to('storesReceipt', { id }),
  states: {
    draft: { label: 'Draft', tone: 'neutral', waiting: 'not posted yet' },
    posted: { label: 'Posted', tone: 'ok' },
    reconciled: { label: 'Reconciled', tone: 'ok' },
    reversed: { label: 'Reversed', tone: 'danger' },
    cancelled: { label: 'Discarded', tone: 'neutral' },
  },
  steps: {
    post: { label: 'Post receipt', done: 'Posted' },
    resolve: { label: 'Settle differences', done: 'Differences settled' },
    reconcile: { label: 'Reconcile', done: 'Reconciled' },
    reverse: {
      label: 'Reverse receipt',
      done: 'Reversed',
      reason: 'needed',
      danger: true,
      asks: 'Everything it took in goes back to where it was.',
    },
    cancel: {
      label: 'Discard receipt',
      done: 'Discarded',
      danger: true,
      asks: 'What was typed into it is not posted.',
    },
  },
  columns: [
    {
      id: 'pendingLines',
      label: 'Open differences',
      width: 130,
      sortable: false,
      phone: 'none',
      value: ({ pendingLines }) => pendingLines || null,
      number: (value) => (value ? String(value) : '–'),
    },
  ],
  anyway: 'Take back anyway',
  empty: {
    title: 'Nothing received yet',
    text: 'What is on its way to a store is listed above; open it to take it in.',
  },
};

export const receiptsApi = documentApi<ReceiptHead, Receipt>(receiptDef.base);

export const REASONS = [
  { value: 'short', label: 'Short' },
  { value: 'over', label: 'Over' },
  { value: 'damaged', label: 'Damaged' },
  { value: 'expired', label: 'Expired' },
  { value: 'wrongItem', label: 'Wrong item' },
  { value: 'temperature', label: 'Too warm' },
  { value: 'notOrdered', label: 'Not ordered' },
] as const;

export const RESOLUTIONS = [
  { value: 'pending', label: 'Decide later' },
  { value: 'backorder', label: 'Send it again' },
  { value: 'credit', label: 'Claim a credit' },
  { value: 'return', label: 'Goes back' },
  { value: 'writeOff', label: 'Write off' },
  { value: 'acceptOver', label: 'Keep what came over' },
] as const;

export const wordsOf = (
  words: readonly { value: string; label: string }[],
  value: string | null | undefined,
) => words.find((one) => one.value === value)?.label ?? '';
