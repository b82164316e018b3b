import { IconMap2 } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type RegionalArea = components['schemas']['RegionalArea'];

export default listPage(
  defineList<RegionalArea>({
    slug: 'regional-areas',
    page: 'listRegionalAreas',
    permission: 'lists/allLists',
    title: 'Regional areas',
    one: 'regional area',
    many: 'regional areas',
    icon: IconMap2,
    name: 'name',
    fields: [{ kind: 'text', name: 'name', label: 'Name', required: true, wide: true }],
    empty: 'Parts of the country where the stores are.',
  }),
);
