import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { Cost } from './Cost';
import { type Recipe, useCostColumns } from './costs';

export default listPage(
  defineList<Recipe>({
    slug: 'recipes',
    permission: 'lists/allLists',
    name: 'name',
    drawer: 620,
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
      { kind: 'text', name: 'code', label: 'Code', max: 50, column: { width: 90, muted: true } },
      { kind: 'ref', name: 'productId', label: 'Product', of: 'products', column: { width: 170 } },
      {
        section: 'A batch',
        kind: 'decimal',
        name: 'yieldQty',
        label: 'Yield',
        column: { width: 80, phone: 'none' },
      },
      {
        kind: 'ref',
        name: 'yieldUomId',
        label: 'Yield unit',
        of: 'uoms',
        column: { width: 100, phone: 'none' },
      },
      {
        kind: 'table',
        name: 'rootItems',
        label: 'Root items',
        addLabel: 'Add root item',
        hint: 'How much of each goes into a batch.',
        empty: 'No root items yet. Until there are some, it has no cost.',
        columns: [
          { name: 'rootItemId', label: 'Root item', kind: 'ref', of: 'root-items' },
          { name: 'qty', label: 'Quantity', kind: 'decimal', width: 130 },
        ],
        column: {
          width: 110,
          phone: 'none',
          text: ({ rootItems }) => (rootItems?.length ? rootItems.length : null),
        },
      },
      {
        section: 'How it is made',
        kind: 'long',
        name: 'instructions',
        label: 'Instructions',
        column: false,
      },
      {
        kind: 'boolean',
        name: 'inactive',
        label: 'Inactive',
        hint: 'Inactive recipes are hidden from lists.',
        wide: true,
        column: false,
      },
    ],
    hides: {
      param: 'includeInactive',
      usual: 'Active',
      all: 'All',
      is: ({ inactive }) => inactive === true,
      by: { field: 'inactive', hidden: true, hide: 'Make inactive', show: 'Make active' },
    },
    beneath: Cost,
    useColumns: useCostColumns,
    empty: 'What a kitchen makes batch by batch: what goes in, what comes out and what it costs.',
  }),
);
