import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type StoreRootItem = components['schemas']['StoreRootItem'];

export default listPage(
  defineList<StoreRootItem>({
    slug: 'store-root-items',
    permission: 'lists/storeInventoryItems',
    name: 'rootItemId',
    label: ({ rootItemId, storeId }, nameOf) =>
      `${nameOf('root-items', rootItemId) ?? ''} · ${nameOf('stores', storeId) ?? ''}`,
    remote: true,
    placeholder: 'Filter by storage area or notes',
    narrows: ['storeId', 'rootItemId'],
    fields: [
      {
        kind: 'ref',
        name: 'storeId',
        label: 'Store',
        of: 'stores',
        required: true,
        wide: true,
        column: { width: 230 },
      },
      {
        kind: 'ref',
        name: 'rootItemId',
        label: 'Root item',
        of: 'root-items',
        required: true,
        wide: true,
        hint: 'Each root item once per store.',
      },
      {
        kind: 'decimal',
        name: 'parQty',
        label: 'Par level',
        hint: 'What the store should have after a delivery.',
        column: { width: 120, phone: 'end' },
      },
      {
        kind: 'decimal',
        name: 'minQty',
        label: 'Minimum',
        hint: 'Below this, order more.',
        column: { width: 120 },
      },
      {
        kind: 'text',
        name: 'storageArea',
        label: 'Storage area',
        max: 100,
        suggest: ['Freezer', 'Chiller', 'Dry storage', 'Counter'],
        wide: true,
        column: { width: 170, phone: 'none' },
      },
      {
        kind: 'long',
        name: 'notes',
        label: 'Notes',
        column: { width: 240, hidden: true, phone: 'none' },
      },
    ],
    empty:
      'How much of each root item a store keeps: its par level, its minimum and where it is kept.',
  }),
);
