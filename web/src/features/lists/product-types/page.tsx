import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type ProductType = components['schemas']['ProductType'];

export default listPage(
  defineList<ProductType>({
    slug: 'product-types',
    permission: 'lists/allLists',
    name: 'name',
    fields: [{ kind: 'text', name: 'name', label: 'Name', required: true, wide: true }],
    empty: 'How a product is used: raw, semi-finished, finished.',
  }),
);
