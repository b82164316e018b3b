import { IconBoxMultiple } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type ProductType = components['schemas']['ProductType'];

export default listPage(
  defineList<ProductType>({
    slug: 'product-types',
    page: 'listProductTypes',
    permission: 'lists/allLists',
    title: 'Product types',
    one: 'product type',
    many: 'product types',
    icon: IconBoxMultiple,
    name: 'name',
    fields: [{ kind: 'text', name: 'name', label: 'Name', required: true, wide: true }],
    empty: 'How a product is used: raw, semi-finished, finished.',
  }),
);
