import { IconChefHat } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { to } from '#/paths';
import { count } from '#/ui/format';
import { documentApi } from './api';
import type { DocumentDef } from './types';

export type ProductionHead = components['schemas']['ProductionHead'];
export type UsedLine = components['schemas']['ProductionLine'];

/** A batch; `made` quantities are in base units of its product. */
export type Production = components['schemas']['Production'] & {
  planned: number | null;
  made: number | null;
  /** Made of planned, in percent; null until the made quantity is entered. */
  yieldPercent: number | null;
  productName: string | null;
  uomCode: string | null;
  lot: string | null;
  expiry: string | null;
};

export const productionDef: DocumentDef<ProductionHead> = {
  kind: 'production',
  word: 'Production',
  ofKitchens: true,
  key: ['commissary', 'production'],
  base: '/api/commissary/production',
  one: 'batch',
  many: 'batches',
  title: 'Production',
  page: 'commissary/orders',
  icon: IconChefHat,
  number: ({ productionNo }) => productionNo,
  date: ({ plannedDate }) => plannedDate,
  dateLabel: 'Planned for',
  href: (id) => to('commissaryBatch', { id }),
  states: {
    draft: { label: 'Planned', tone: 'neutral', waiting: 'not started yet' },
    inProgress: { label: 'In progress', tone: 'warn', waiting: 'being made' },
    posted: { label: 'Posted', tone: 'ok' },
    reversed: { label: 'Reversed', tone: 'neutral' },
    cancelled: { label: 'Cancelled', tone: 'neutral' },
  },
  steps: {
    start: { label: 'Start batch', done: 'Started' },
    post: { label: 'Post batch', done: 'Posted' },
    reverse: {
      label: 'Reverse batch',
      done: 'Reversed',
      reason: 'needed',
      danger: true,
      asks: 'What was made leaves the stock again, and what went into it comes back.',
    },
    cancel: {
      label: 'Cancel batch',
      done: 'Cancelled',
      reason: 'offered',
      danger: true,
      asks: 'The batch stays in the list as cancelled. No stock moves.',
    },
  },
  columns: [
    {
      id: 'recipe',
      label: 'Recipe',
      width: 260,
      sortable: false,
      phone: 'sub',
      value: ({ recipeName }) => recipeName,
    },
    {
      id: 'batches',
      label: 'Batches',
      width: 90,
      sortable: false,
      value: ({ batches }) => batches,
      number: count,
    },
  ],
  empty: {
    title: 'No batches yet',
    text: 'A batch turns ingredients into a product by a recipe, and books both in the stock.',
  },
};

export const productionsApi = documentApi<ProductionHead, Production>(productionDef.base);
