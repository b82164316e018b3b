import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { to } from '#/paths';
import { tinText } from '#/ui/tin';

export type Company = components['schemas']['Company'];

export const companies = defineList<Company>({
  slug: 'companies',
  permission: 'lists/allLists',
  name: 'name',
  href: (id) => to('listCompany', { id }),
  drawer: 600,
  fields: [
    { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
    {
      kind: 'text',
      name: 'legalBusinessName',
      label: 'Legal business name',
      wide: true,
      column: { width: 220 },
    },
    {
      kind: 'text',
      name: 'industry',
      label: 'Industry',
      column: { width: 150, hidden: true, phone: 'none' },
    },
    {
      kind: 'text',
      name: 'businessType',
      label: 'Business type',
      suggest: ['Corporation', 'One person corporation', 'Partnership', 'Sole proprietorship'],
      column: { width: 160, hidden: true, phone: 'none' },
    },

    {
      section: 'Contact',
      kind: 'text',
      name: 'phone',
      label: 'Phone',
      max: 100,
      column: { width: 150, phone: 'end' },
    },
    { kind: 'email', name: 'email', label: 'Email', column: { width: 210 } },
    {
      kind: 'web',
      name: 'website',
      label: 'Website',
      wide: true,
      column: { width: 190, hidden: true, phone: 'none' },
    },

    {
      section: 'Address',
      kind: 'text',
      name: 'streetAddress',
      label: 'Street address',
      wide: true,
      column: { width: 220, hidden: true, phone: 'none' },
    },
    { kind: 'text', name: 'city', label: 'City', column: { width: 140 } },
    {
      kind: 'text',
      name: 'province',
      label: 'Province',
      column: { width: 140, hidden: true, phone: 'none' },
    },
    { kind: 'text', name: 'postalCode', label: 'Postal code', max: 20, column: false },
    {
      kind: 'text',
      name: 'country',
      label: 'Country',
      column: { width: 130, hidden: true, phone: 'none' },
    },

    {
      section: 'Registration',
      kind: 'text',
      name: 'tin',
      label: 'TIN',
      max: 50,
      tidy: tinText,
      wide: true,
      column: { width: 150, phone: 'none' },
    },
    { kind: 'web', name: 'dtiSecUrl', label: 'DTI/SEC registration', wide: true, column: false },
    { kind: 'web', name: 'mayorPermitUrl', label: 'Mayor’s permit', wide: true, column: false },
    { kind: 'web', name: 'birUrl', label: 'BIR registration', wide: true, column: false },
  ],
  empty: 'The companies that own stores and commissaries, with their permits and registrations.',
});
