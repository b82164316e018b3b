// Every list of the console, with the data of a record.

import type { Api } from '../support/test.ts';

export interface Listed {
  slug: string;
  heading: string;
  /** Its page and its API path, if not among the lists. */
  page?: string;
  base?: string;
  /** The field that names a record, and its name in the suite. */
  named: string;
  name: string;
  /** Further fields to fill in, by label. */
  more?: Record<string, string>;
  /** Fields to choose by label; the referenced record is created over the API first. */
  choose?: Record<string, string>;
  /** It opens on a page of its own. */
  whole?: true;
  /** A record that refers to it: its path and body. */
  use?(id: string): { path: string; body: Record<string, unknown> };
}

const location = (body: Record<string, unknown>) => {
  // Stores cannot be deleted, so each is named after what it refers to.
  const id = String(Object.values(body)[0]);
  return { path: '/api/stores/locations', body: { name: `Store of ${id}`, code: id, ...body } };
};
const product = (body: Record<string, unknown>) => ({
  path: '/api/products',
  body: { name: 'A product that uses it', type: 'Non-inventory', ...body },
});
const recipe = (body: Record<string, unknown>) => ({
  path: '/api/lists/recipes',
  body: { name: 'A recipe that uses it', ...body },
});

export const lists: readonly Listed[] = [
  {
    slug: 'uoms',
    heading: 'Units of measure',
    named: 'Name',
    name: 'Kilogram',
    more: { Code: 'kg' },
    use: (id) => recipe({ yieldQty: 1, yieldUomId: id }),
  },
  {
    slug: 'categories',
    heading: 'Categories',
    named: 'Name',
    name: 'Chilled',
    use: (id) => ({ path: '/api/lists/categories', body: { name: 'A child', parentId: id } }),
  },
  { slug: 'food-types', heading: 'Food types', named: 'Name', name: 'Cooked', use: (id) => product({ foodType: id }) },
  { slug: 'product-types', heading: 'Product types', named: 'Name', name: 'Finished', use: (id) => product({ productType: id }) },
  {
    slug: 'storage-requirements',
    heading: 'Storage requirements',
    named: 'Name',
    name: 'Frozen',
    use: (id) => product({ storageRequirement: id }),
  },
  { slug: 'price-levels', heading: 'Price levels', named: 'Name', name: 'Standard', use: (id) => location({ priceLevelId: id }) },
  { slug: 'tender-types', heading: 'Tender types', named: 'Name', name: 'Gift check' },
  { slug: 'store-formats', heading: 'Store formats', named: 'Name', name: 'Kiosk', use: (id) => location({ storeFormatId: id }) },
  { slug: 'regional-areas', heading: 'Regional areas', named: 'Name', name: 'North', use: (id) => location({ regionalAreaId: id }) },
  {
    slug: 'operational-areas',
    heading: 'Operational areas',
    named: 'Name',
    name: 'Area 1',
    use: (id) => location({ operationalAreaId: id }),
  },
  {
    slug: 'root-items',
    heading: 'Root items',
    named: 'Name',
    name: 'Jasmine rice',
    more: { Price: '52,50' },
    use: (id) => recipe({ rootItems: [{ rootItemId: id, qty: 2 }] }),
  },
  { slug: 'pos-items', heading: 'POS items', named: 'Description', name: 'Rice bowl' },
  {
    slug: 'companies',
    heading: 'Companies',
    named: 'Name',
    name: 'Larder Foods',
    more: { Website: 'larder.example', Email: 'hello@larder.example' },
    whole: true,
    use: (id) => ({ path: '/api/lists/commissaries', body: { name: 'A commissary of it', companyId: id } }),
  },
  {
    slug: 'suppliers',
    heading: 'Suppliers',
    named: 'Display name',
    name: 'Manila Trading',
    more: { Website: 'https://manila.example', 'Opening balance': '-1,250.50', 'First name': 'Ana' },
  },
  { slug: 'commissaries', heading: 'Commissaries', named: 'Name', name: 'Main commissary' },
  { slug: 'warehouses', heading: 'Warehouses', named: 'Name', name: 'Pasig warehouse' },
  { slug: 'cold-storages', heading: 'Cold storages', named: 'Name', name: 'Navotas' },
  {
    slug: 'store-root-items',
    heading: 'Store root items',
    named: 'Root item',
    name: 'Garlic',
    choose: { Store: 'Cubao', 'Root item': 'Garlic' },
    more: { 'Par level': '12.5' },
  },
  { slug: 'store-inventory-items', heading: 'Store inventory items', named: 'Name', name: 'Rice sack', more: { Code: 'SI-1' } },
  { slug: 'recipes', heading: 'Recipes', named: 'Name', name: 'Chicken adobo', more: { Code: 'R-1' } },
  {
    slug: 'chart-of-accounts',
    heading: 'Chart of accounts',
    page: '/your-company/chart-of-accounts',
    base: '/api/your-company/chart-of-accounts',
    named: 'Name',
    name: 'Inventory asset',
    more: { Number: '1300' },
    choose: { Type: 'Other current assets' },
    use: (id) => product({ inventoryAssetAccountId: id }),
  },
];

export const pageOf = ({ page, slug }: Listed) => page ?? `/lists/${slug}`;
export const baseOf = ({ base, slug }: Listed) => base ?? `/api/lists/${slug}`;

export interface Made {
  id: string;
  revision: number;
}

/** Creates the records that a list's choices refer to. */
export async function prepare(api: Api, list: Listed): Promise<void> {
  if (list.slug !== 'store-root-items') return;
  await api.call('POST', '/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  await api.call('POST', '/api/lists/root-items', { name: 'Garlic', production: true });
}
