import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type OperationalArea = components['schemas']['OperationalArea'];

export default listPage(
  defineList<OperationalArea>({
    slug: 'operational-areas',
    permission: 'lists/allLists',
    name: 'name',
    tree: 'parentId',
    ordered: true,
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true },
      {
        kind: 'text',
        name: 'code',
        label: 'Code',
        max: 50,
        column: { width: 160, phone: 'end' },
      },
      { kind: 'parent', name: 'parentId', label: 'Parent area', options: [], wide: true },
    ],
    empty: 'Areas that managers look after. An area can be inside another.',
  }),
);
