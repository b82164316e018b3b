import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { BomCost } from './BomCost';
import { BomDialog } from './BomDialog';

type PosItem = components['schemas']['PosItem'];

export default listPage(
  defineList<PosItem>({
    slug: 'pos-items',
    permission: 'lists/allLists',
    name: 'description',
    remote: true,
    drawer: 600,
    fields: [
      { kind: 'text', name: 'description', label: 'Description', required: true, wide: true },
      {
        kind: 'text',
        name: 'posItemId',
        label: 'POS item ID',
        max: 100,
        column: { width: 170, muted: true },
      },
      { kind: 'money', name: 'price', label: 'Price', column: { width: 120, phone: 'end' } },
      { kind: 'text', name: 'category', label: 'Category', max: 100, column: { width: 170 } },
      {
        kind: 'text',
        name: 'serviceType',
        label: 'Service type',
        max: 100,
        column: { width: 140, phone: 'none' },
      },
      {
        kind: 'ref',
        name: 'variantOf',
        label: 'Variant of',
        of: 'pos-items',
        hint: 'Without a bill of materials of its own, it inherits that of this item.',
        column: { width: 170, phone: 'none' },
      },
      {
        kind: 'table',
        name: 'bom',
        label: 'Bill of materials',
        section: 'What it is made of',
        addLabel: 'Add root item',
        hint: 'How much of each root item goes into one.',
        empty: 'No root items yet. Until there are some, its sales count no usage.',
        columns: [
          { name: 'rootProductId', label: 'Root item', kind: 'ref', of: 'root-items' },
          { name: 'multiplier', label: 'How much', kind: 'decimal', reads: 'factor', width: 130 },
        ],
        column: {
          width: 120,
          label: 'Root items',
          phone: 'none',
          text: ({ bom }) => (bom?.length ? bom.length : null),
        },
      },
    ],
    ask: { when: (changed) => 'bom' in changed, dialog: BomDialog },
    beneath: BomCost,
    empty: 'What the tills sell. Items that an import does not know can be made there.',
  }),
);
