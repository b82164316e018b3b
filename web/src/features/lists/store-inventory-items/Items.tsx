import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { Links } from './Links';

type StoreInventoryItem = components['schemas']['StoreInventoryItem'];

export const Items = listPage(
  defineList<StoreInventoryItem>({
    slug: 'store-inventory-items',
    permission: 'lists/storeInventoryItems',
    name: 'name',
    remote: true,
    drawer: 600,
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
      { kind: 'text', name: 'code', label: 'Code', max: 50, column: { width: 130, muted: true } },
      {
        kind: 'text',
        name: 'barcode',
        label: 'Barcode',
        max: 100,
        column: { width: 150, hidden: true, phone: 'none' },
      },
      {
        section: 'What it stands for',
        kind: 'ref',
        name: 'rootItemId',
        label: 'Root item',
        of: 'root-items',
        column: { width: 200 },
      },
      {
        kind: 'decimal',
        name: 'rootQtyPerUnit',
        reads: 'factor',
        label: 'Root units in one unit',
        column: { width: 150, label: 'Root units', phone: 'none' },
      },
      {
        section: 'How it is counted',
        kind: 'ref',
        name: 'uomId',
        label: 'Counted in',
        of: 'uoms',
        column: { width: 150, phone: 'end' },
      },
      {
        kind: 'integer',
        name: 'sortOrder',
        label: 'Order on the sheet',
        column: { width: 120, hidden: true, label: 'Order' },
      },
      {
        kind: 'text',
        name: 'storageArea',
        label: 'Storage area',
        max: 100,
        suggest: ['Freezer', 'Chiller', 'Dry storage', 'Counter'],
        wide: true,
        column: { width: 160, phone: 'none' },
      },
      {
        kind: 'table',
        name: 'packs',
        label: 'Packs',
        addLabel: 'Add pack',
        hint: 'Larger units it may be counted in, and how many of the counted unit are in one.',
        empty: 'No packs: it is counted in its own unit only.',
        columns: [
          { name: 'uomId', label: 'Pack', kind: 'ref', of: 'uoms' },
          { name: 'factor', label: 'Units in it', kind: 'decimal', reads: 'factor', width: 130 },
        ],
        column: {
          width: 90,
          hidden: true,
          phone: 'none',
          text: ({ packs }) => (packs?.length ? packs.length : null),
        },
      },
      {
        section: 'On screens',
        kind: 'web',
        name: 'imageUrl',
        label: 'Picture',
        wide: true,
        column: false,
      },
      {
        kind: 'boolean',
        name: 'production',
        label: 'In production',
        hint: 'Items out of production are hidden from lists and counts.',
        initial: true,
        wide: true,
        column: { width: 130, hidden: true },
      },
    ],
    hides: {
      param: 'includeHidden',
      usual: 'In production',
      all: 'All',
      is: ({ production }) => production === false,
      by: {
        field: 'production',
        hidden: false,
        hide: 'Take out of production',
        show: 'Put into production',
      },
    },
    actions: Links,
    empty: 'What store staff see and count. Each stands for a root item, or is split into recipes.',
  }),
);
