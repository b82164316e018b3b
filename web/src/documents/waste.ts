import { IconTrash } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import { documentApi } from './api';
import type { DocumentDef } from './types';

export type WasteHead = components['schemas']['WasteHead'];
export type Waste = components['schemas']['Waste'];
export type WasteLine = components['schemas']['WasteLine'];
export type WasteReason = components['schemas']['WasteReason'];
export type WasteSettings = components['schemas']['WasteSettings'];

export const wasteDef: DocumentDef<WasteHead> = {
  kind: 'waste',
  word: 'Waste',
  key: ['stores', 'waste'],
  base: '/api/stores/waste',
  one: 'waste report',
  many: 'waste reports',
  title: 'Waste',
  page: 'stores/storeTransactions',
  icon: IconTrash,
  number: ({ wasteNo }) => wasteNo,
  date: ({ businessDate }) => businessDate,
  dateLabel: 'Date',
  href: (id) => to('storesWasteReport', { id }),
  priced: true,
  states: {
    draft: { label: 'Draft', tone: 'neutral', waiting: 'not submitted yet' },
    submitted: { label: 'Submitted', tone: 'warn', waiting: 'waiting for approval' },
    rejected: { label: 'Rejected', tone: 'danger', waiting: 'open it again to change it' },
    posted: { label: 'Posted', tone: 'ok' },
    reversed: { label: 'Reversed', tone: 'danger' },
    cancelled: { label: 'Cancelled', tone: 'neutral' },
  },
  steps: {
    submit: { label: 'Submit waste', done: 'Submitted' },
    approve: { label: 'Approve waste', done: 'Approved' },
    reject: { label: 'Reject waste', done: 'Rejected', reason: 'needed', danger: true },
    reopen: { label: 'Open again', done: 'Opened again' },
    reverse: {
      label: 'Reverse waste',
      done: 'Reversed',
      reason: 'needed',
      danger: true,
      asks: 'What was taken out of the store’s stock goes back into it.',
    },
    cancel: {
      label: 'Cancel waste report',
      done: 'Cancelled',
      danger: true,
      asks: 'Nothing leaves the stock. The report stays in the list as cancelled.',
    },
  },
  anyway: 'Throw away anyway',
  empty: {
    title: 'No waste yet',
    text: 'What a store threw away, gave away or let its staff eat is written down here.',
  },
};

export const wasteApi = documentApi<WasteHead, Waste>(wasteDef.base);

export const WASTE_REASONS: readonly { value: WasteReason; label: string }[] = [
  { value: 'expired', label: 'Expired' },
  { value: 'spoiled', label: 'Spoiled' },
  { value: 'damaged', label: 'Damaged' },
  { value: 'dropped', label: 'Dropped' },
  { value: 'overproduced', label: 'Made too much' },
  { value: 'recalled', label: 'Recalled' },
  { value: 'returned', label: 'Customer gave it back' },
  { value: 'staffMeal', label: 'Staff meal' },
  { value: 'other', label: 'Other' },
];

export const wasteReasonOf = (value: string) =>
  WASTE_REASONS.find((one) => one.value === value)?.label ?? value;
