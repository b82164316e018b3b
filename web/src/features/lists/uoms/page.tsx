import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type Uom = components['schemas']['Uom'];

export default listPage(
  defineList<Uom>({
    slug: 'uoms',
    permission: 'lists/allLists',
    name: 'name',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true },
      {
        kind: 'text',
        name: 'code',
        label: 'Code',
        required: true,
        max: 20,
        column: { width: 160, phone: 'end' },
      },
    ],
    empty: 'Quantities of products and items are counted in these: kg, piece, case.',
  }),
);
