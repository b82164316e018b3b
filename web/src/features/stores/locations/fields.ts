import type { Field } from '#/form/types';
import type { Location } from './api';

type Name = Exclude<keyof Location, number | symbol> & string;

/** Every field of a store, in the groups of its page. */
export const fields: readonly Field<Name>[] = [
  { section: 'Identity', kind: 'text', name: 'name', label: 'Name', required: true },
  { kind: 'text', name: 'code', label: 'Code', max: 50 },
  { kind: 'ref', name: 'storeFormatId', label: 'Store format', of: 'store-formats' },
  { kind: 'date', name: 'openingDate', label: 'Opening date' },
  {
    kind: 'boolean',
    name: 'inactive',
    label: 'Inactive',
    hint: 'Inactive stores are hidden in lists and menus.',
  },

  {
    section: 'Organisation',
    kind: 'ref',
    name: 'regionalAreaId',
    label: 'Regional area',
    of: 'regional-areas',
  },
  {
    kind: 'ref',
    name: 'operationalAreaId',
    label: 'Operational area',
    of: 'operational-areas',
  },
  { kind: 'ref', name: 'priceLevelId', label: 'Price level', of: 'price-levels' },
  { kind: 'ref', name: 'companyId', label: 'Company', of: 'companies' },

  { section: 'POS', kind: 'text', name: 'posBranchName', label: 'POS branch name' },
  { kind: 'text', name: 'posCode', label: 'POS code', max: 50 },
  { kind: 'text', name: 'terminalId', label: 'Terminal ID', max: 50 },
  {
    kind: 'table',
    name: 'posTerminals',
    label: 'POS terminals',
    addLabel: 'Add terminal',
    hint: 'Imported sales find their store by these codes.',
    empty: 'No terminals yet.',
    columns: [
      { name: 'posCode', label: 'POS code', kind: 'text' },
      { name: 'terminalId', label: 'Terminal ID', kind: 'text' },
    ],
  },

  {
    section: 'Size and storage',
    kind: 'decimal',
    name: 'storeAreaM2',
    label: 'Store area',
    unit: 'm²',
  },
  { kind: 'integer', name: 'diningCapacityPax', label: 'Dining capacity', unit: 'pax' },
  { kind: 'decimal', name: 'frozenStorageKg', label: 'Frozen storage', unit: 'kg' },
  { kind: 'decimal', name: 'dryStorageCbm', label: 'Dry storage', unit: 'cbm' },

  {
    section: 'Planning',
    kind: 'integer',
    name: 'leadTimeDays',
    label: 'Lead time',
    unit: 'days',
    blank: 0,
    hint: 'From order to delivery.',
  },
  {
    kind: 'integer',
    name: 'reviewTimeDays',
    label: 'Review time',
    unit: 'days',
    blank: 0,
    hint: 'From one order to the next.',
  },

  { section: 'NetSuite', kind: 'text', name: 'netsuiteCompanyName', label: 'Company name' },
  { kind: 'text', name: 'netsuiteLocationName', label: 'Location name' },
  {
    kind: 'text',
    name: 'netsuiteLocationInternalId',
    label: 'Location internal ID',
  },
  { kind: 'text', name: 'netsuiteClassName', label: 'Class name' },
  { kind: 'text', name: 'netsuiteClassInternalId', label: 'Class internal ID' },
  { kind: 'text', name: 'netsuiteCustomerName', label: 'Customer name' },
  { kind: 'text', name: 'netsuiteCustomerId', label: 'Customer ID' },
  {
    kind: 'text',
    name: 'netsuiteCustomerInternalId',
    label: 'Customer internal ID',
  },

  { section: 'Lease and charges', kind: 'text', name: 'lessor', label: 'Lessor' },
  { kind: 'date', name: 'leaseStartDate', label: 'Lease start date' },
  { kind: 'decimal', name: 'rentPercent', label: 'Percentage rent', unit: '%' },
  { kind: 'money', name: 'rentCostPerSqm', label: 'Rent', unit: 'per m²' },
  { kind: 'money', name: 'cusaCostPerSqm', label: 'CUSA', unit: 'per m²' },
  { kind: 'money', name: 'airconCostPerSqm', label: 'Air conditioning', unit: 'per m²' },
  {
    kind: 'money',
    name: 'otherChargesCostPerSqm',
    label: 'Other charges',
    unit: 'per m²',
  },
  { kind: 'money', name: 'electricityRateKwh', label: 'Electricity', unit: 'per kWh' },
  { kind: 'money', name: 'waterRateM3', label: 'Water', unit: 'per m³' },

  {
    section: 'Address',
    kind: 'text',
    name: 'streetAddress',
    label: 'Street address',
    wide: true,
  },
  { kind: 'text', name: 'city', label: 'City' },
  { kind: 'text', name: 'province', label: 'Province' },
  { kind: 'text', name: 'postalCode', label: 'Postal code', max: 20 },
  { kind: 'text', name: 'country', label: 'Country' },
];
