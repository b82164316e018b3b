import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type StorageRequirement = components['schemas']['StorageRequirement'];

export default listPage(
  defineList<StorageRequirement>({
    slug: 'storage-requirements',
    permission: 'lists/allLists',
    name: 'name',
    fields: [{ kind: 'text', name: 'name', label: 'Name', required: true, wide: true }],
    empty: 'How a product must be kept: dry, chilled, frozen.',
  }),
);
