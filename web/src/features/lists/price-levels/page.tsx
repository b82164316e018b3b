import { IconTags } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type PriceLevel = components['schemas']['PriceLevel'];

export default listPage(
  defineList<PriceLevel>({
    slug: 'price-levels',
    page: 'listPriceLevels',
    permission: 'lists/allLists',
    title: 'Price levels',
    one: 'price level',
    many: 'price levels',
    icon: IconTags,
    name: 'name',
    fields: [{ kind: 'text', name: 'name', label: 'Name', required: true, wide: true }],
    empty: 'A price level is a set of prices that stores buy at.',
  }),
);
