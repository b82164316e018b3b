// Fields that warehouses, cold storages and commissaries have in common.

export const contactFields = [
  { kind: 'text', name: 'contactPerson', label: 'Contact person', column: { width: 180 } },
  {
    kind: 'text',
    name: 'phone',
    label: 'Phone',
    max: 100,
    column: { width: 150, phone: 'end' },
  },
  { kind: 'email', name: 'email', label: 'Email', wide: true, column: { width: 220 } },
] as const;

export const addressFields = [
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
] as const;
