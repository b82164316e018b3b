import { IconTruckDelivery } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import { documentApi } from './api';
import type { DocumentDef } from './types';

export type DeliveryHead = components['schemas']['DeliveryHead'];
export type Delivery = components['schemas']['Delivery'];
export type ShipmentLine = components['schemas']['ShipmentLine'];

export const deliveryDef: DocumentDef<DeliveryHead> = {
  kind: 'delivery',
  word: 'Delivery',
  key: ['commissary', 'deliveries'],
  base: '/api/commissary/deliveries',
  one: 'delivery',
  many: 'deliveries',
  title: 'Deliveries',
  page: 'commissary/deliveries',
  icon: IconTruckDelivery,
  number: ({ deliveryNo }) => deliveryNo,
  date: ({ plannedDate }) => plannedDate,
  dateLabel: 'Planned for',
  href: (id) => to('commissaryDeliveryOne', { id }),
  states: {
    draft: { label: 'Draft', tone: 'neutral', waiting: 'waiting to be picked' },
    picking: { label: 'Picking', tone: 'warn', waiting: 'being picked' },
    packed: { label: 'Packed', tone: 'brand', waiting: 'waiting for the truck' },
    dispatched: { label: 'Dispatched', tone: 'brand', waiting: 'on its way' },
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
    pick: { label: 'Start picking', done: 'Picking' },
    pack: { label: 'Pack', done: 'Packed' },
    unpack: {
      label: 'Unpack',
      done: 'Unpacked',
      asks: 'It is picked again. What was picked stays as it is.',
    },
    dispatch: { label: 'Dispatch', done: 'Dispatched' },
    reconcile: { label: 'Reconcile', done: 'Reconciled' },
    undispatch: {
      label: 'Take the dispatch back',
      done: 'Dispatch taken back',
      reason: 'offered',
      danger: true,
      asks: 'The stock goes back to where it came from, and the delivery is packed again.',
    },
    cancel: {
      label: 'Cancel delivery',
      done: 'Cancelled',
      reason: 'offered',
      danger: true,
      asks: 'What it was to bring can be put into another delivery.',
    },
  },
  columns: [
    {
      id: 'driver',
      label: 'Driver',
      width: 140,
      sortable: false,
      phone: 'none',
      value: ({ driver }) => driver,
    },
  ],
  empty: {
    title: 'No deliveries yet',
    text: 'A delivery brings a store what it ordered. Make one from approved orders.',
  },
};

export const deliveriesApi = documentApi<DeliveryHead, Delivery>(deliveryDef.base);

/** Whether it was dispatched: then dispatched quantities count, not picked ones. */
export const hasLeft = ({ status }: DeliveryHead): boolean =>
  ['dispatched', 'partiallyReceived', 'received', 'reconciled'].includes(status);
