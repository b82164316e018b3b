import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { addressFields, contactFields } from '../placeFields';

type ColdStorage = components['schemas']['ColdStorage'];

export default listPage(
  defineList<ColdStorage>({
    slug: 'cold-storages',
    permission: 'lists/allLists',
    name: 'name',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
      ...contactFields,
      ...addressFields,
    ],
    empty: 'Where chilled and frozen goods are kept before they go to the stores.',
  }),
);
