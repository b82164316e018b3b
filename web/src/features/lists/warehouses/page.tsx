import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { addressFields, contactFields } from '../placeFields';

type Warehouse = components['schemas']['Warehouse'];

export default listPage(
  defineList<Warehouse>({
    slug: 'warehouses',
    permission: 'lists/allLists',
    name: 'name',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
      ...contactFields,
      ...addressFields,
    ],
    empty: 'Where dry goods are kept before they go to the stores.',
  }),
);
