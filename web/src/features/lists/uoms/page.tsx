import { IconRulerMeasure } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type Uom = components['schemas']['Uom'];

export default listPage(
  defineList<Uom>({
    slug: 'uoms',
    page: 'listUoms',
    permission: 'lists/allLists',
    title: 'Units of measure',
    one: 'unit of measure',
    many: 'units of measure',
    icon: IconRulerMeasure,
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
