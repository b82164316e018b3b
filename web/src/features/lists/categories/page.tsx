import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type Category = components['schemas']['Category'];

export default listPage(
  defineList<Category>({
    slug: 'categories',
    permission: 'lists/allLists',
    name: 'name',
    tree: 'parentId',
    ordered: true,
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
      { kind: 'parent', name: 'parentId', label: 'Parent category', options: [], wide: true },
    ],
    empty: 'Categories group products. A category can be inside another.',
  }),
);
