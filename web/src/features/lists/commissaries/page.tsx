import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { addressFields, contactFields } from '../placeFields';

const [contactPerson, ...otherContactFields] = contactFields;
const [street, city, province, country] = addressFields;

type Commissary = components['schemas']['Commissary'];

export default listPage(
  defineList<Commissary>({
    slug: 'commissaries',
    permission: 'lists/commissaries',
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
      { ...contactPerson, section: 'Contact', column: { width: 180, hidden: true } },
      ...otherContactFields,
      street,
      city,
      { ...province, column: { ...province.column, hidden: true } },
      country,
    ],
    empty: 'Kitchens that make for the stores. Adjustments without a place go to the default one.',
  }),
);
