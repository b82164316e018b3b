// One line per page; the compiler keeps it in step with `built` in paths.ts.
import type { ComponentType } from 'react';
import type { BuiltKey } from '#/paths';

export type Load = () => Promise<{ default: ComponentType }>;

/** The shell, the phone apps and the pages before sign-in. */
export const frameModules = {
  landing: () => import('./signed-out/Landing'),
  login: () => import('./signed-out/Login'),
  apply: () => import('./signed-out/Apply'),
  resetPassword: () => import('./signed-out/ResetPassword'),
  firstStart: () => import('./signed-out/FirstStart'),
  modeSelect: () => import('./signed-out/ModeSelect'),
  branchOps: () => import('./branch-ops/BranchOps'),
  storeCount: () => import('./store-count/StoreCount'),
  shell: () => import('./shell/Shell'),
} satisfies Record<string, Load>;

export const pageModules: Record<BuiltKey, Load> = {
  lists: () => import('#/features/lists/page'),
  listUoms: () => import('#/features/lists/uoms/page'),
  listCategories: () => import('#/features/lists/categories/page'),
  listFoodTypes: () => import('#/features/lists/food-types/page'),
  listProductTypes: () => import('#/features/lists/product-types/page'),
  listStorageRequirements: () => import('#/features/lists/storage-requirements/page'),
  listPriceLevels: () => import('#/features/lists/price-levels/page'),
  listTenderTypes: () => import('#/features/lists/tender-types/page'),
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
  reportSmbcd: () => import('#/features/reports/smbcd/page'),
  reports: () => import('#/features/reports/page'),
  users: () => import('#/features/users/page'),
  usersTab: () => import('#/features/users/page'),
};
