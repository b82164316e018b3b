import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type RegionalArea = components['schemas']['RegionalArea'];

export default listPage(
  defineList<RegionalArea>({
    slug: 'regional-areas',
    permission: 'lists/allLists',
    name: 'name',
    fields: [{ kind: 'text', name: 'name', label: 'Name', required: true, wide: true }],
    empty: 'Parts of the country where the stores are.',
  }),
);
