import type { Column } from '#/table/types';
import { day, qty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import type { Location } from './api';

export const refKinds = [
  'companies',
  'store-formats',
  'regional-areas',
  'operational-areas',
  'price-levels',
] as const;

export function columnsOf(
  nameOf: (kind: string, id: unknown) => string | null,
): Column<Location>[] {
  return [
    { id: 'name', label: 'Store', value: ({ name }) => name, primary: true },
    { id: 'code', label: 'Code', value: ({ code }) => code, width: 120, muted: true },
    {
      id: 'storeFormatId',
      label: 'Format',
      value: ({ storeFormatId }) => nameOf('store-formats', storeFormatId),
      width: 140,
    },
    {
      id: 'regionalAreaId',
      label: 'Regional area',
      value: ({ regionalAreaId }) => nameOf('regional-areas', regionalAreaId),
      width: 160,
    },
    {
      id: 'operationalAreaId',
      label: 'Operational area',
      value: ({ operationalAreaId }) => nameOf('operational-areas', operationalAreaId),
      width: 170,
      phone: 'none',
    },
    {
      id: 'companyId',
      label: 'Company',
      value: ({ companyId }) => nameOf('companies', companyId),
      width: 160,
      hidden: true,
      phone: 'none',
    },
    {
      id: 'priceLevelId',
      label: 'Price level',
      value: ({ priceLevelId }) => nameOf('price-levels', priceLevelId),
      width: 130,
      hidden: true,
      phone: 'none',
    },
    { id: 'city', label: 'City', value: ({ city }) => city, width: 140 },
    {
      id: 'posCode',
      label: 'POS code',
      value: ({ posCode }) => posCode,
      width: 110,
      muted: true,
      phone: 'none',
    },
    {
      id: 'storeAreaM2',
      label: 'Area (m²)',
      value: ({ storeAreaM2 }) => storeAreaM2,
      number: qty,
      width: 110,
      hidden: true,
      phone: 'none',
    },
    {
      id: 'leadTimeDays',
      label: 'Lead (days)',
      value: ({ leadTimeDays }) => leadTimeDays,
      number: qty,
      width: 110,
      hidden: true,
      phone: 'none',
    },
    {
      id: 'openingDate',
      label: 'Opened',
      value: ({ openingDate }) => openingDate,
      cell: ({ openingDate }) => day(openingDate),
      width: 120,
      muted: true,
      phone: 'none',
    },
    {
      id: 'inactive',
      label: 'Status',
      value: ({ inactive }) => (inactive ? 'Inactive' : 'Active'),
      cell: ({ inactive }) =>
        inactive ? (
          <StatusPill tone="neutral">Inactive</StatusPill>
        ) : (
          <StatusPill tone="ok">Active</StatusPill>
        ),
      width: 100,
      phone: 'end',
    },
  ];
}
