// One line a page: `built` in paths.ts and this table can only change together.
import type { ComponentType } from 'react';
import type { BuiltKey } from '#/paths';

export type Load = () => Promise<{ default: ComponentType }>;

/** What stands around the pages, and before them. */
export const ways = {
  landing: () => import('./outside/Landing'),
  login: () => import('./outside/Login'),
  apply: () => import('./outside/Apply'),
  resetPassword: () => import('./outside/ResetPassword'),
  firstStart: () => import('./outside/FirstStart'),
  modeSelect: () => import('./outside/ModeSelect'),
  branchOps: () => import('./branch-ops/BranchOps'),
  storeCount: () => import('./store-count/StoreCount'),
  shell: () => import('./shell/Shell'),
} satisfies Record<string, Load>;

export const modules: Record<BuiltKey, Load> = {
  lists: () => import('#/features/lists/page'),
  listUoms: () => import('#/features/lists/uoms/page'),
  listCategories: () => import('#/features/lists/categories/page'),
  listFoodTypes: () => import('#/features/lists/food-types/page'),
  listProductTypes: () => import('#/features/lists/product-types/page'),
  listStorageRequirements: () => import('#/features/lists/storage-requirements/page'),
  listPriceLevels: () => import('#/features/lists/price-levels/page'),
  listStoreFormats: () => import('#/features/lists/store-formats/page'),
  listRegionalAreas: () => import('#/features/lists/regional-areas/page'),
  listOperationalAreas: () => import('#/features/lists/operational-areas/page'),
  listPosItems: () => import('#/features/lists/pos-items/page'),
  listRootItems: () => import('#/features/lists/root-items/page'),
  listCompanies: () => import('#/features/lists/companies/page'),
  listCompany: () => import('#/features/lists/companies/id/page'),
  listSuppliers: () => import('#/features/lists/suppliers/page'),
  listCommissaries: () => import('#/features/lists/commissaries/page'),
  listWarehouses: () => import('#/features/lists/warehouses/page'),
  listColdStorages: () => import('#/features/lists/cold-storages/page'),
  listStoreRootItems: () => import('#/features/lists/store-root-items/page'),
  listStoreInventoryItems: () => import('#/features/lists/store-inventory-items/page'),
  listRecipes: () => import('#/features/lists/recipes/page'),
  chartOfAccounts: () => import('#/features/your-company/chart-of-accounts/page'),
  products: () => import('#/features/products/page'),
  product: () => import('#/features/products/id/page'),
  storesLocations: () => import('#/features/stores/locations/page'),
  storesLocation: () => import('#/features/stores/locations/id/page'),
  storesInventory: () => import('#/features/stores/inventory/page'),
  storesCount: () => import('#/features/stores/count/page'),
  toolsImportSales: () => import('#/features/tools/import-sales-product/page'),
  toolsImportSalesRecords: () => import('#/features/tools/import-sales-product/records/page'),
  toolsImportSalesTerminals: () =>
    import('#/features/tools/import-sales-product/terminal-summary/page'),
  toolsImportSalesDay: () => import('#/features/tools/import-sales-product/import/page'),
  toolsImportData: () => import('#/features/tools/import-data/page'),
  reportSalesByRootItems: () => import('#/features/reports/sales-by-root-items/page'),
  reportWeeklyRootItemSales: () => import('#/features/reports/weekly-root-item-sales/page'),
  reportProductSalesByStore: () => import('#/features/reports/product-sales-by-store/page'),
  reportCountCompliance: () => import('#/features/reports/count-compliance/page'),
  reportCountVariance: () => import('#/features/reports/count-variance/page'),
  reportCountPeople: () => import('#/features/reports/count-people/page'),
  reports: () => import('#/features/reports/page'),
  users: () => import('#/features/users/page'),
  usersTab: () => import('#/features/users/page'),
};
