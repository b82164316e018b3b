import { IconArrowsExchange } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import { documentApi } from './api';
import type { DocumentDef } from './types';

export type TransferHead = components['schemas']['TransferHead'];
export type Transfer = components['schemas']['Transfer'];

export const transferDef: DocumentDef<TransferHead> = {
  kind: 'transfer',
  word: 'Transfer',
  key: ['stores', 'transfers'],
  base: '/api/stores/transfers',
  one: 'transfer',
  many: 'transfers',
  title: 'Transfers',
  page: 'stores/storeTransactions',
  icon: IconArrowsExchange,
  number: ({ transferNo }) => transferNo,
  date: ({ plannedDate }) => plannedDate,
  dateLabel: 'Planned for',
  href: (id) => to('storesTransfer', { id }),
  states: {
    draft: { label: 'Draft', tone: 'neutral', waiting: 'not sent yet' },
    dispatched: { label: 'Sent', tone: 'brand', waiting: 'on its way' },
    partiallyReceived: {
      label: 'Partially received',
      tone: 'warn',
      waiting: 'differences to be settled',
    },
    received: { label: 'Received', tone: 'ok', waiting: 'waiting to be reconciled' },
    reconciled: { label: 'Reconciled', tone: 'ok' },
    cancelled: { label: 'Cancelled', tone: 'neutral' },
  },
  steps: {
    dispatch: { label: 'Send transfer', done: 'Sent' },
    reconcile: { label: 'Reconcile', done: 'Reconciled' },
    undispatch: {
      label: 'Take it back',
      done: 'Taken back',
      reason: 'offered',
      danger: true,
      asks: 'The stock goes back to the store that sent it, and the transfer is a draft again.',
    },
    cancel: {
      label: 'Cancel transfer',
      done: 'Cancelled',
      danger: true,
      asks: 'Nothing has left the store yet. The transfer stays in the list as cancelled.',
    },
  },
  empty: {
    title: 'No transfers yet',
    text: 'A transfer takes stock from a store to another one.',
  },
};

export const transfersApi = documentApi<TransferHead, Transfer>(transferDef.base);
