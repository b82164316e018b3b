import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type StoreFormat = components['schemas']['StoreFormat'];

export default listPage(
  defineList<StoreFormat>({
    slug: 'store-formats',
    permission: 'lists/allLists',
    name: 'name',
    fields: [{ kind: 'text', name: 'name', label: 'Name', required: true, wide: true }],
    empty: 'Kinds of stores: kiosk, counter, dine-in.',
  }),
);
