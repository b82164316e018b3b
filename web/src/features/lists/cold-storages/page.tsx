import { IconFridge } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type ColdStorage = components['schemas']['ColdStorage'];

export default listPage(
  defineList<ColdStorage>({
    slug: 'cold-storages',
    page: 'listColdStorages',
    permission: 'lists/allLists',
    title: 'Cold storages',
    one: 'cold storage',
    many: 'cold storages',
    icon: IconFridge,
    name: 'name',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
      { kind: 'text', name: 'contactPerson', label: 'Contact person', column: { width: 180 } },
      {
        kind: 'text',
        name: 'phone',
        label: 'Phone',
        max: 100,
        column: { width: 150, phone: 'end' },
      },
      { kind: 'email', name: 'email', label: 'Email', wide: true, column: { width: 220 } },
      {
        section: 'Address',
        kind: 'text',
        name: 'streetAddress',
        label: 'Street address',
        wide: true,
        column: { width: 220, hidden: true, phone: 'none' },
      },
      { kind: 'text', name: 'city', label: 'City', column: { width: 150 } },
      { kind: 'text', name: 'province', label: 'Province', column: { width: 150, phone: 'none' } },
      {
        kind: 'text',
        name: 'country',
        label: 'Country',
        column: { width: 130, hidden: true, phone: 'none' },
      },
    ],
    empty: 'Where chilled and frozen goods are kept before they go to the stores.',
  }),
);
