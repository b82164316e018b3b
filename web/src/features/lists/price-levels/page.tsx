import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type PriceLevel = components['schemas']['PriceLevel'];

export default listPage(
  defineList<PriceLevel>({
    slug: 'price-levels',
    permission: 'lists/allLists',
    name: 'name',
    fields: [{ kind: 'text', name: 'name', label: 'Name', required: true, wide: true }],
    empty: 'A price level is a set of prices that stores buy at.',
  }),
);
