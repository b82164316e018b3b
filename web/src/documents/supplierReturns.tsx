import { IconTruckReturn } from '@tabler/icons-react';
import { useNamesOf } from '#/api/names';
import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import { money } from '#/ui/format';
import type { DocumentDef } from './types';

export type SupplierReturnHead = components['schemas']['SupplierReturnHead'];
export type SupplierReturn = components['schemas']['SupplierReturn'];
export type SupplierReturnLine = components['schemas']['SupplierReturnLine'];
type ReturnReason = components['schemas']['ReturnReason'];
type Settlement = components['schemas']['ReturnSettlement'];
type PlaceKind = NonNullable<SupplierReturnHead['placeKind']>;

/** Lists with the names of places and suppliers. */
const PLACES: Readonly<Partial<Record<PlaceKind, string>>> = {
  store: 'stores',
  commissary: 'commissaries',
  warehouse: 'warehouses',
  coldStorage: 'cold-storages',
};
const NAMES = ['suppliers', ...Object.values(PLACES)];

/** Names of the place and the supplier. */
export function useEnds({ placeKind, placeId, sourceId }: SupplierReturnHead) {
  const nameOf = useNamesOf(NAMES);
  return {
    place: placeKind ? (nameOf(PLACES[placeKind] ?? '', placeId) ?? '') : '',
    supplier: nameOf('suppliers', sourceId) ?? '',
  };
}

function Ends({ head }: { head: SupplierReturnHead }) {
  const { place, supplier } = useEnds(head);
  return head.storeId ? supplier : `${supplier}, from ${place}`;
}

export const supplierReturnDef: DocumentDef<SupplierReturnHead> = {
  kind: 'supplierReturn',
  word: 'Supplier return',
  key: ['commissary', 'supplier-returns'],
  base: '/api/commissary/supplier-returns',
  one: 'supplier return',
  many: 'supplier returns',
  title: 'Supplier returns',
  page: 'stores/storeReceive',
  icon: IconTruckReturn,
  number: ({ returnNo }) => returnNo,
  date: ({ returnDate }) => returnDate,
  dateLabel: 'Sent back on',
  href: (id) => to('commissarySupplierReturn', { id }),
  priced: true,
  follows: {
    kind: 'receipt',
    title: 'Sent back',
    begin: 'Send back',
    may: ({ sourceType, status }) =>
      sourceType === 'supplier' && (status === 'posted' || status === 'reconciled'),
    draft: ({ id }) => ({ receiptId: id }),
  },
  states: {
    draft: { label: 'Draft', tone: 'neutral', waiting: 'not sent yet' },
    sent: { label: 'Sent', tone: 'warn', waiting: 'waiting for the supplier' },
    settled: { label: 'Settled', tone: 'ok' },
    reversed: { label: 'Reversed', tone: 'danger' },
    cancelled: { label: 'Cancelled', tone: 'neutral' },
  },
  steps: {
    send: { label: 'Send to supplier', done: 'Sent' },
    settle: { label: 'Settle', done: 'Settled' },
    reverse: {
      label: 'Reverse return',
      done: 'Reversed',
      reason: 'needed',
      danger: true,
      asks: 'The goods go back into stock.',
    },
    cancel: {
      label: 'Cancel return',
      done: 'Cancelled',
      danger: true,
      asks: 'Nothing leaves the stock. The return stays in the list as cancelled.',
    },
  },
  columns: [
    {
      id: 'supplier',
      label: 'Supplier',
      width: 220,
      sortable: false,
      phone: 'sub',
      value: ({ sourceId }) => sourceId,
      cell: (head) => <Ends head={head} />,
    },
    {
      id: 'settlement',
      label: 'Settled by',
      width: 150,
      sortable: false,
      phone: 'none',
      value: ({ settlement }) => labelOf(SETTLEMENTS, settlement),
      cell: ({ settlement, creditedAmount, creditMemoNo }) =>
        settlement === 'credited' && creditedAmount != null
          ? `${money(creditedAmount)}${creditMemoNo ? `, ${creditMemoNo}` : ''}`
          : labelOf(SETTLEMENTS, settlement),
    },
  ],
  anyway: 'Send back anyway',
  empty: {
    title: 'Nothing sent back yet',
    text: 'Goods that a store or a kitchen sends back to a supplier are written down here, until the supplier credits or replaces them.',
  },
};

export const RETURN_REASONS: readonly { value: ReturnReason; label: string }[] = [
  { value: 'damaged', label: 'Damaged' },
  { value: 'wrongItem', label: 'Wrong item' },
  { value: 'expired', label: 'Expired' },
  { value: 'quality', label: 'Poor quality' },
  { value: 'other', label: 'Other' },
];

export const SETTLEMENTS: readonly { value: Settlement; label: string }[] = [
  { value: 'credited', label: 'Credited' },
  { value: 'replaced', label: 'Replaced' },
];

export const labelOf = (
  words: readonly { value: string; label: string }[],
  value: string | null | undefined,
) => words.find((one) => one.value === value)?.label ?? value ?? '';
