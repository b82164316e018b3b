import { IconShoppingCart } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import type { DocumentDef } from './types';

export type OrderHead = components['schemas']['StoreOrderHead'];
export type Order = components['schemas']['StoreOrder'];
export type OrderLine = components['schemas']['OrderLine'];
type Schemas = components['schemas'];
/** Answers kept on devices by earlier versions have no suggestion by unit. */
export type GuideUnit = Schemas['GuideUnit'] & { suggested?: number | null };
export type GuideItem = Omit<Schemas['GuideItem'], 'units'> & {
  units: GuideUnit[];
  /** How many stock units are in a base unit. */
  stockPerBase?: number | null;
};
export type Why = components['schemas']['Why'];

export const orderDef: DocumentDef<OrderHead> = {
  kind: 'storeOrder',
  word: 'Order',
  key: ['stores', 'orders'],
  base: '/api/stores/orders',
  one: 'order',
  many: 'orders',
  title: 'Orders',
  page: 'stores/storeOrders',
  icon: IconShoppingCart,
  number: ({ orderNo }) => orderNo,
  date: ({ neededDate }) => neededDate,
  dateLabel: 'Needed on',
  href: (id) => to('storesOrder', { id }),
  priced: true,
  states: {
    draft: { label: 'Draft', tone: 'neutral', waiting: 'not sent yet' },
    submitted: { label: 'Submitted', tone: 'warn', waiting: 'waiting for approval' },
    rejected: { label: 'Rejected', tone: 'danger', waiting: 'open it again to change it' },
    approved: { label: 'Approved', tone: 'brand', waiting: 'waiting for the kitchen' },
    inFulfilment: { label: 'In fulfilment', tone: 'brand', waiting: 'on its way' },
    partiallyReceived: { label: 'Partially received', tone: 'warn' },
    received: { label: 'Received', tone: 'ok', waiting: 'waiting to be reconciled' },
    closed: { label: 'Closed', tone: 'ok' },
    cancelled: { label: 'Cancelled', tone: 'neutral' },
  },
  steps: {
    submit: { label: 'Submit order', done: 'Submitted' },
    approve: { label: 'Approve order', done: 'Approved' },
    reject: { label: 'Reject order', done: 'Rejected', reason: 'needed', danger: true },
    withdraw: {
      label: 'Withdraw',
      done: 'Withdrawn',
      asks: 'It becomes a draft again, to be changed. Nothing is sent until it is submitted once more.',
    },
    reopen: { label: 'Open again', done: 'Opened again' },
    'close-short': {
      label: 'Close short',
      done: 'Closed short',
      reason: 'offered',
      danger: true,
      asks: 'What was not sent yet will not be sent any more.',
    },
    cancel: {
      label: 'Cancel order',
      done: 'Cancelled',
      reason: 'offered',
      danger: true,
      asks: 'The order stays in the list as cancelled.',
    },
  },
  empty: {
    title: 'No orders yet',
    text: 'A store asks its commissary here for what it needs.',
  },
};
