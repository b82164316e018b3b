// Which records there are, what one is called, where its names come from and where it is opened.
import { type PageKey, spec, to } from './paths';

interface RecordKind {
  readonly one: string;
  /** Where its names are asked for: `/api/names/{slug}`. Also its list's name in the cache. */
  readonly slug: string;
  /** The page that shows it: in its drawer, or as a page of its own. */
  readonly page: PageKey;
  readonly whole?: true;
}

export const recordKinds: Readonly<Record<string, RecordKind>> = {
  uom: { one: 'unit of measure', slug: 'uoms', page: 'listUoms' },
  category: { one: 'category', slug: 'categories', page: 'listCategories' },
  foodType: { one: 'food type', slug: 'food-types', page: 'listFoodTypes' },
  productType: { one: 'product type', slug: 'product-types', page: 'listProductTypes' },
  storageRequirement: {
    one: 'storage requirement',
    slug: 'storage-requirements',
    page: 'listStorageRequirements',
  },
  priceLevel: { one: 'price level', slug: 'price-levels', page: 'listPriceLevels' },
  storeFormat: { one: 'store format', slug: 'store-formats', page: 'listStoreFormats' },
  regionalArea: { one: 'regional area', slug: 'regional-areas', page: 'listRegionalAreas' },
  operationalArea: {
    one: 'operational area',
    slug: 'operational-areas',
    page: 'listOperationalAreas',
  },
  rootItem: { one: 'root item', slug: 'root-items', page: 'listRootItems' },
  posItem: { one: 'POS item', slug: 'pos-items', page: 'listPosItems' },
  company: { one: 'company', slug: 'companies', page: 'listCompany', whole: true },
  supplier: { one: 'supplier', slug: 'suppliers', page: 'listSuppliers' },
  commissary: { one: 'commissary', slug: 'commissaries', page: 'listCommissaries' },
  warehouse: { one: 'warehouse', slug: 'warehouses', page: 'listWarehouses' },
  coldStorage: { one: 'cold storage', slug: 'cold-storages', page: 'listColdStorages' },
  storeRootItem: {
    one: 'store root item',
    slug: 'store-root-items',
    page: 'listStoreRootItems',
  },
  storeInventoryItem: {
    one: 'store inventory item',
    slug: 'store-inventory-items',
    page: 'listStoreInventoryItems',
  },
  recipe: { one: 'recipe', slug: 'recipes', page: 'listRecipes' },
  location: { one: 'store', slug: 'stores', page: 'storesLocation', whole: true },
  product: { one: 'product', slug: 'products', page: 'product', whole: true },
  account: { one: 'account', slug: 'chart-of-accounts', page: 'chartOfAccounts' },
};

/** Where a record is opened; null when no page shows it yet. */
export function recordPath(kind: string, id: string): string | null {
  const known = recordKinds[kind];
  if (!known || !spec(known.page).built) return null;
  if (known.whole) return to(known.page as 'product', { id });
  return to(known.page as 'listUoms', null, { open: id });
}

/** Where all records of a kind are; null when no page shows them yet. */
export function listPath(kind: string): string | null {
  const known = recordKinds[kind];
  if (!known || !spec(known.page).built) return null;
  return spec(known.page).path.replace(/\/:id$/, '');
}

/** Who may see a kind's records. */
export function recordRight(kind: string): string | undefined {
  const known = recordKinds[kind];
  return known && spec(known.page).can;
}

const BASES: Readonly<Record<string, string>> = {
  location: '/api/stores/locations',
  product: '/api/products',
  account: '/api/your-company/chart-of-accounts',
};

/** Where a kind's records are served; null for what is no record of a list. */
export function recordBase(kind: string): string | null {
  const known = recordKinds[kind];
  return known ? (BASES[kind] ?? `/api/lists/${known.slug}`) : null;
}
