import { IconToolsKitchen2 } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';

type Commissary = components['schemas']['Commissary'];

export default listPage(
  defineList<Commissary>({
    slug: 'commissaries',
    page: 'listCommissaries',
    permission: 'lists/commissaries',
    title: 'Commissaries',
    one: 'commissary',
    many: 'commissaries',
    icon: IconToolsKitchen2,
    name: 'name',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
      {
        kind: 'ref',
        name: 'companyId',
        label: 'Company',
        of: 'companies',
        wide: true,
        column: { width: 180 },
      },
      {
        kind: 'boolean',
        name: 'isDefault',
        label: 'Default commissary',
        hint: 'Adjustments without a place go here. Only one can be the default.',
        wide: true,
        column: {
          width: 110,
          label: 'Default',
          text: ({ isDefault }) => (isDefault ? 'Default' : null),
        },
      },
      {
        section: 'Contact',
        kind: 'text',
        name: 'contactPerson',
        label: 'Contact person',
        column: { width: 180 },
      },
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
    empty: 'Kitchens that make for the stores. Adjustments without a place go to the default one.',
  }),
);
