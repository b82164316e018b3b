import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type FoodType = components['schemas']['FoodType'];

export default listPage(
  defineList<FoodType>({
    slug: 'food-types',
    permission: 'lists/allLists',
    name: 'name',
    fields: [{ kind: 'text', name: 'name', label: 'Name', required: true, wide: true }],
    empty: 'What a product is: meat, bread, sauce.',
  }),
);
