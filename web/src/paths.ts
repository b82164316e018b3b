// Every address of the console: its name, its permission, and whether its page exists. A page
// without `built` has no route and is greyed in the menus, so adding a page takes one word here and
// one line in `app/routes.tsx` (the compiler requires it).

export type Permission = `${string}/${string}`;

export interface PageSpec {
  readonly path: string;
  readonly label: string;
  /** The permission to view it; absent if any signed-in user may. */
  readonly can?: Permission;
  readonly built?: true;
  /** It works without a connection for a user this device remembers. */
  readonly offline?: true;
  /** Search synonyms. */
  readonly words?: string;
  /** The search parameters that links from a question may set: the page reads each of them. */
  readonly reads?: readonly string[];
  /** The page whose menu entry it and all pages below it highlight, if not the nearest one above. */
  readonly menu?: string;
}

/** What every report reads. */
const REPORT = ['range', 'from', 'to', 'stores', 'areas', 'q', 'sort'] as const;
/** What every list of documents reads. */
const DOCUMENTS = ['q', 'storeId', 'from', 'to', 'status', 'sort'] as const;

export const pages = {
  // Dashboard
  dashboardMain: {
    path: '/dashboard/main',
    label: 'Home',
    can: 'dashboard/home',
    built: true,
    words: 'dashboard today overview waiting approvals',
  },
  dashboardWaiting: {
    path: '/dashboard/main/waiting',
    label: 'Waiting',
    built: true,
  },
  dashboardDrpNew: {
    path: '/dashboard/drp-new',
    label: 'Replenishment plan',
    can: 'dashboard/drpNew',
    built: true,
    words: 'drp suggest order stock-out safety stock',
    reads: ['tab', 'store', 'q'],
  },

  // Sales
  salesZReading: {
    path: '/sales/z-reading',
    label: 'Z-readings',
    can: 'sales/zReading',
    built: true,
    words: 'till day end grand total counter calendar chain',
    reads: ['view', 'storeId', 'stores', 'state', 'only', 'from', 'to', 'q', 'sort'],
  },
  salesZReadingOne: {
    path: '/sales/z-reading/:id',
    label: 'Z-reading',
    can: 'sales/zReading',
    built: true,
  },
  salesCmsr: {
    path: '/sales/cmsr',
    label: 'CMSR',
    can: 'sales/cmsr',
    built: true,
    words: 'certified monthly sales report lessor percentage rent',
    reads: ['month', 'store'],
  },
  salesTenderReport: {
    path: '/sales/tender-report',
    label: 'Tender report',
    can: 'sales/tenderReport',
    built: true,
    words: 'cash card deposit settlement bank missing',
    reads: ['from', 'to', 'stores', 'kind', 'only', 'q'],
  },
  salesNetsuite: {
    path: '/sales/netsuite',
    label: 'NetSuite',
    can: 'sales/netsuite',
    built: true,
    words: 'cash sale invoice journal entry layout mapping',
    reads: ['from', 'to', 'stores', 'only', 'q'],
  },
  salesNetsuiteImport: {
    path: '/sales/netsuite/store-sales-import',
    label: 'NetSuite store sales import',
    can: 'sales/netsuite',
    built: true,
    words: 'export csv external id results',
  },

  // Products
  products: {
    path: '/products',
    label: 'Products & services',
    can: 'products/products',
    built: true,
    words: 'items sku stock prices',
  },
  product: { path: '/products/:id', label: 'Product', can: 'products/products', built: true },

  // Stock
  stockLots: {
    path: '/stock/lots',
    label: 'Lots',
    can: 'products/products',
    built: true,
    words: 'batch expiry recall trace traceability',
    reads: ['q', 'only', 'place', 'product'],
  },
  stockLot: { path: '/stock/lots/:lot', label: 'Lot', can: 'products/products', built: true },

  // Lists
  lists: { path: '/lists', label: 'All lists', can: 'lists/allLists', built: true },
  listUoms: {
    path: '/lists/uoms',
    label: 'Units of measure',
    can: 'lists/allLists',
    built: true,
    words: 'uom kg piece',
  },
  listCategories: {
    path: '/lists/categories',
    label: 'Categories',
    can: 'lists/allLists',
    built: true,
  },
  listOrderTemplates: {
    path: '/lists/order-templates',
    label: 'Order templates',
    can: 'stores/storeOrders',
  },
  listFoodTypes: {
    path: '/lists/food-types',
    label: 'Food types',
    can: 'lists/allLists',
    built: true,
  },
  listProductTypes: {
    path: '/lists/product-types',
    label: 'Product types',
    can: 'lists/allLists',
    built: true,
  },
  listStorageRequirements: {
    path: '/lists/storage-requirements',
    label: 'Storage requirements',
    can: 'lists/allLists',
    built: true,
  },
  listPriceLevels: {
    path: '/lists/price-levels',
    label: 'Price levels',
    can: 'lists/allLists',
    built: true,
  },
  listStoreFormats: {
    path: '/lists/store-formats',
    label: 'Store formats',
    can: 'lists/allLists',
    built: true,
  },
  listTenderTypes: {
    path: '/lists/tender-types',
    label: 'Tender types',
    can: 'lists/allLists',
    built: true,
    words: 'payment cash card gcash voucher',
  },
  listCompanies: {
    path: '/lists/companies',
    label: 'Companies',
    can: 'lists/allLists',
    built: true,
  },
  listCompany: {
    path: '/lists/companies/:id',
    label: 'Company',
    can: 'lists/allLists',
    built: true,
  },
  listSuppliers: {
    path: '/lists/suppliers',
    label: 'Suppliers',
    can: 'lists/allLists',
    built: true,
  },
  listCommissaries: {
    path: '/lists/commissaries',
    label: 'Commissaries',
    can: 'lists/commissaries',
    built: true,
  },
  listWarehouses: {
    path: '/lists/warehouses',
    label: 'Warehouses',
    can: 'lists/allLists',
    built: true,
  },
  listColdStorages: {
    path: '/lists/cold-storages',
    label: 'Cold storages',
    can: 'lists/allLists',
    built: true,
  },
  listRegionalAreas: { path: '/lists/regional-areas', label: 'Regional areas', built: true },
  listOperationalAreas: {
    path: '/lists/operational-areas',
    label: 'Operational areas',
    built: true,
  },
  listPosItems: {
    path: '/lists/pos-items',
    label: 'POS items',
    can: 'lists/allLists',
    built: true,
    words: 'bom bill of materials till',
  },
  listRootItems: {
    path: '/lists/root-items',
    label: 'Root items',
    can: 'lists/allLists',
    built: true,
    words: 'ingredients',
  },
  listProposedPrices: {
    path: '/lists/root-items/proposed',
    label: 'Proposed prices',
    can: 'lists/allLists',
    built: true,
    words: 'supplier receipt price cost',
  },
  listStoreRootItems: {
    path: '/lists/store-root-items',
    label: 'Store root items',
    can: 'lists/storeInventoryItems',
    built: true,
  },
  listStoreInventoryItems: {
    path: '/lists/store-inventory-items',
    label: 'Store inventory items',
    can: 'lists/storeInventoryItems',
    built: true,
  },
  listRecipes: {
    path: '/lists/recipes',
    label: 'Recipes',
    can: 'lists/allLists',
    built: true,
    words: 'batch yield cost',
  },

  // Stores
  storesOrders: {
    path: '/stores/orders',
    label: 'Orders',
    can: 'stores/storeOrders',
    built: true,
    words: 'purchase replenish suggested',
    reads: DOCUMENTS,
  },
  storesOrder: {
    path: '/stores/orders/:id',
    label: 'Order',
    can: 'stores/storeOrders',
    built: true,
  },
  storesReceive: {
    path: '/stores/receive',
    label: 'Receive',
    can: 'stores/storeReceive',
    built: true,
    words: 'goods receipt delivery arrived',
    menu: 'storesOrders',
    reads: [...DOCUMENTS, 'undecided'],
  },
  storesReceipt: {
    path: '/stores/receive/:id',
    label: 'Receipt',
    can: 'stores/storeReceive',
    built: true,
  },
  storesLocations: {
    path: '/stores/locations',
    label: 'Locations',
    can: 'stores/storeList',
    built: true,
    words: 'stores branches',
  },
  storesLocation: {
    path: '/stores/locations/:id',
    label: 'Store',
    can: 'stores/storeList',
    built: true,
  },
  storesInventory: {
    path: '/stores/inventory',
    label: 'Store inventory',
    can: 'stores/storeInventory',
    built: true,
    words: 'on hand stock variance count sheet cover',
    menu: 'storesLocations',
    reads: ['store', 'by', 'only', 'q'],
  },
  storesCount: {
    path: '/stores/count',
    label: 'Store count',
    can: 'stores/storeCount',
    built: true,
    offline: true,
    words: 'opening closing offline inventory',
    reads: ['store', 'date', 'session', 'held'],
  },
  storesTransactions: {
    path: '/stores/transactions',
    label: 'Store transactions',
    can: 'stores/storeTransactions',
    built: true,
    words: 'transfers waste thrown away spoiled expired',
    reads: [...DOCUMENTS, 'tab', 'store'],
  },
  storesTransfer: {
    path: '/stores/transactions/transfers/:id',
    label: 'Transfer',
    can: 'stores/storeTransactions',
    built: true,
  },
  storesWasteReport: {
    path: '/stores/transactions/waste/:id',
    label: 'Waste report',
    can: 'stores/storeTransactions',
    built: true,
  },

  // Commissary
  commissaryDeliveries: {
    path: '/commissary/deliveries',
    label: 'Deliveries',
    can: 'commissary/deliveries',
    built: true,
    reads: [...DOCUMENTS, 'tab'],
  },
  commissaryOrders: {
    path: '/commissary/orders',
    label: 'Orders',
    can: 'commissary/orders',
    built: true,
    words: 'kitchen share out shortage pick list',
    reads: ['neededDate', 'only', 'q'],
  },
  commissaryDelivery: {
    path: '/commissary/delivery',
    label: 'Delivery',
    can: 'commissary/deliveries',
    built: true,
    menu: 'commissaryDeliveries',
  },
  commissaryDeliveryOne: {
    path: '/commissary/delivery/:id',
    label: 'Delivery',
    can: 'commissary/deliveries',
    built: true,
  },
  commissaryProduction: {
    path: '/commissary/production',
    label: 'Production',
    can: 'commissary/orders',
    built: true,
    words: 'kitchen batches recipes make cook',
    reads: ['q', 'from', 'to', 'status', 'sort'],
  },
  commissaryBatch: {
    path: '/commissary/production/:id',
    label: 'Batch',
    can: 'commissary/orders',
    built: true,
  },
  commissaryStockTakes: {
    path: '/commissary/stock-takes',
    label: 'Stock-takes',
    can: 'commissary/orders',
    built: true,
    words: 'count inventory kitchen warehouse cold storage adjust difference',
    menu: 'commissaryProduction',
  },
  commissaryStockTake: {
    path: '/commissary/stock-takes/:id',
    label: 'Stock-take',
    can: 'commissary/orders',
    built: true,
    offline: true,
  },
  commissarySupplierReturns: {
    path: '/commissary/supplier-returns',
    label: 'Supplier returns',
    can: 'stores/storeReceive',
    built: true,
    words: 'send back claim credit memo damaged',
    menu: 'storesOrders',
  },
  commissarySupplierReturn: {
    path: '/commissary/supplier-returns/:id',
    label: 'Supplier return',
    can: 'stores/storeReceive',
    built: true,
  },

  // Tools
  toolsTestApi: {
    path: '/tools/test-api',
    label: 'Test API',
    can: 'tools/testApi',
    built: true,
    words: 'operations openapi curl request',
  },
  toolsServices: {
    path: '/tools/services',
    label: 'Services',
    can: 'tools/services',
    built: true,
    words: 'jobs schedule nightly forecast run',
  },
  toolsGetSalesApi: {
    path: '/tools/services/get-sales-api',
    label: 'Get sales by API',
    can: 'tools/services',
    built: true,
    words: 'connector json feed pos vendor',
  },
  toolsW3pIngest: {
    path: '/tools/services/w3p-ingest',
    label: 'W3P ingest',
    can: 'tools/services',
    built: true,
    words: 'connector push feed folder sftp pos',
  },
  toolsOcr: {
    path: '/tools/services/ocr',
    label: 'OCR',
    can: 'tools/services',
    built: true,
    words: 'picture pdf text table scan',
  },
  toolsZReadingOcr: {
    path: '/tools/services/zreading-ocr',
    label: 'Z-reading OCR',
    can: 'tools/zReadingOcr',
    built: true,
    menu: 'salesZReading',
    words: 'till photo pictures upload scan',
  },
  toolsImportSales: {
    path: '/tools/import-sales-product',
    label: 'Import sales',
    can: 'tools/importSalesProduct',
    words: 'upload csv xlsx pos till',
    built: true,
    reads: ['from', 'to', 'storeIds'],
  },
  toolsImportSalesBq: {
    path: '/tools/import-sales-product-bq',
    label: 'Sales from BigQuery',
    words: 'import google table query',
    built: true,
  },
  toolsImportSalesRootQty: {
    path: '/tools/import-sales-product/root-item-qty',
    label: 'Root item quantities',
    can: 'tools/importSalesProduct',
    built: true,
  },
  toolsImportSalesIngest: {
    path: '/tools/import-sales-product/ingest',
    label: 'Till keys',
    can: 'tools/importSalesProduct',
    built: true,
    words: 'push api key till pos',
  },
  toolsImportSalesRecords: {
    path: '/tools/import-sales-product/records',
    label: 'Sales import records',
    built: true,
  },
  toolsImportSalesTerminals: {
    path: '/tools/import-sales-product/terminal-summary',
    label: 'Terminal summary',
    built: true,
  },
  toolsImportSalesDay: {
    path: '/tools/import-sales-product/import/:storeId/:year/:month/:day',
    label: 'Store day',
    can: 'tools/importSalesProduct',
    built: true,
  },
  toolsImportData: {
    path: '/tools/import-data',
    label: 'Import data',
    can: 'tools/importData',
    built: true,
    words: 'upload csv xlsx excel template quickbooks netsuite undo',
  },
  toolsTransactionInsights: {
    path: '/tools/transaction-insights',
    label: 'Transaction insights',
    can: 'tools/transactionInsights',
    built: true,
    words: 'basket average ticket pairs bought together lift busy hours receipts',
    reads: ['range', 'from', 'to', 'stores', 'areas', 'against'],
  },
  toolsMovingAverage: {
    path: '/tools/services/moving-average',
    label: 'Moving average',
    can: 'tools/services',
    built: true,
  },
  toolsDailyMovingAverage: {
    path: '/tools/services/daily-moving-average',
    label: 'Daily moving average',
    can: 'tools/services',
    built: true,
  },
  toolsW3pMovingAverage: {
    path: '/tools/services/w3p-root-item-moving-average',
    label: 'W3P root item moving average',
    can: 'tools/services',
    built: true,
  },
  toolsMonthlyForecast: {
    path: '/tools/services/monthly-forecast',
    label: 'Monthly forecast',
    can: 'tools/services',
    built: true,
  },
  toolsWeeklyForecast: {
    path: '/tools/services/weekly-forecast',
    label: 'Weekly forecast',
    can: 'tools/services',
    built: true,
  },
  toolsAdvancedForecast: {
    path: '/tools/services/advanced-forecast',
    label: 'Advanced forecast',
    can: 'tools/services',
    built: true,
  },
  toolsDailySalesCoverage: {
    path: '/tools/services/daily-sales-coverage',
    label: 'Daily sales coverage',
    can: 'tools/services',
    built: true,
    words: 'missing days gaps imported complete',
    reads: ['month', 'only', 'stores'],
  },
  toolsReplay: {
    path: '/tools/services/replay',
    label: 'Replay',
    can: 'tools/services',
    built: true,
    words: 'what if policy service level simulation trade-off compare',
  },
  toolsForecastAccuracy: {
    path: '/tools/services/accuracy',
    label: 'Forecast accuracy',
    can: 'tools/services',
    built: true,
    words: 'error bias wape mase interval',
    reads: ['by', 'store', 'from', 'to'],
  },
  toolsForecastEvents: {
    path: '/tools/services/events',
    label: 'Events',
    can: 'tools/services',
    built: true,
    words: 'holidays paydays promotions closures calendar',
  },
  toolsForecastOverrides: {
    path: '/tools/services/overrides',
    label: 'Forecast overrides',
    can: 'tools/services',
    built: true,
    words: 'adjust forecast by hand',
  },
  toolsRootItemWeeklySnapshot: {
    path: '/tools/root-item-weekly-snapshot',
    label: 'Root item weekly snapshot',
    can: 'tools/services',
    built: true,
    words: 'freeze week make again differences',
  },

  // Reports
  reportSmbcd: {
    path: '/reports/smbcd',
    label: 'Sales Mix By Category, Daily',
    can: 'reports/reports',
    built: true,
    words: 'smbcd share',
    reads: REPORT,
  },
  reportCountCompliance: {
    path: '/reports/count-compliance',
    label: 'Count compliance',
    can: 'reports/reports',
    built: true,
    words: 'opening closing missing late',
    reads: REPORT,
  },
  reportCountVariance: {
    path: '/reports/count-variance',
    label: 'Count variance',
    can: 'reports/reports',
    built: true,
    words: 'shrinkage loss expected',
    reads: [...REPORT, 'by'],
  },
  reportCountPeople: {
    path: '/reports/count-people',
    label: 'Who counted',
    can: 'reports/reports',
    built: true,
  },
  reportSalesByRootItems: {
    path: '/reports/sales-by-root-items',
    label: 'Sales by root items',
    can: 'reports/reports',
    built: true,
    reads: REPORT,
  },
  reportSalesTerminal: {
    path: '/reports/sales-terminal',
    label: 'Sales by terminal',
    can: 'reports/reports',
    built: true,
    words: 'till register receipts average ticket',
    reads: [...REPORT, 'measure'],
  },
  reportWeeklyRootItemSales: {
    path: '/reports/weekly-root-item-sales',
    label: 'Weekly root item sales',
    can: 'reports/reports',
    built: true,
    reads: REPORT,
  },
  reportProductSalesByStore: {
    path: '/reports/product-sales-by-store',
    label: 'Product sales by store',
    can: 'reports/reports',
    built: true,
    reads: [...REPORT, 'measure'],
  },
  reportRootItemMovement: {
    path: '/reports/root-item-movement-by-store',
    label: 'Root item movement by store',
    can: 'reports/reports',
    built: true,
    words: 'received transfers waste use opening closing',
    reads: [...REPORT, 'by'],
  },
  reportsRootItemWeeklySnapshot: {
    path: '/reports/root-item-weekly-snapshot',
    label: 'Root item weekly snapshot',
    can: 'reports/reports',
    built: true,
    words: 'variance frozen week',
  },
  reportSalesComparison: {
    path: '/reports/sales-comparison',
    label: 'Sales against previous period',
    can: 'reports/reports',
    built: true,
    words: 'growth like for like same store last week last year prior comparison',
    reads: [...REPORT, 'by'],
  },
  reportFoodCost: {
    path: '/reports/food-cost',
    label: 'Food cost',
    can: 'reports/reports',
    built: true,
    words: 'theoretical actual cost of goods cogs',
    reads: [...REPORT, 'by'],
  },
  reportOccupancy: {
    path: '/reports/occupancy',
    label: 'Occupancy cost',
    can: 'reports/reports',
    built: true,
    words: 'rent lease cusa aircon',
    reads: [...REPORT, 'by'],
  },
  reportStoreScorecard: {
    path: '/reports/store-scorecard',
    label: 'Store scorecard',
    can: 'reports/reports',
    built: true,
    words: 'ranking per square metre seat ticket fill rate forecast error waste variance median',
    reads: [...REPORT, 'by'],
  },
  reportCustomNew: {
    path: '/reports/custom/new',
    label: 'Report builder',
    can: 'reports/reports',
    built: true,
    words: 'custom pivot own question build',
    reads: ['d'],
  },
  reportCustomOne: {
    path: '/reports/custom/:id',
    label: 'Custom report',
    can: 'reports/reports',
    built: true,
  },
  // After the individual reports, so that a report's slug is not taken for a tab's.
  reports: { path: '/reports/:tab', label: 'Reports', can: 'reports/reports', built: true },

  // Company and people
  chartOfAccounts: {
    path: '/your-company/chart-of-accounts',
    label: 'Chart of accounts',
    can: 'yourCompany/chartOfAccounts',
    built: true,
  },
  users: {
    path: '/users',
    label: 'Manage users',
    can: 'manageUsers/users',
    built: true,
    words: 'people roles permissions applications sessions activity audit',
  },
  usersTab: { path: '/users/:tab', label: 'Manage users', can: 'manageUsers/users', built: true },
} as const satisfies Record<string, PageSpec>;

export type PageKey = keyof typeof pages;

/** The pages that exist: each needs a module in `app/routes.tsx`. */
export type BuiltKey = {
  [K in PageKey]: (typeof pages)[K] extends { built: true } ? K : never;
}[PageKey];

/** Addresses outside the shell. */
export const outsideShell = {
  home: '/',
  login: '/login',
  apply: '/apply',
  resetPassword: '/reset-password',
  firstStart: '/first-start',
  branchOps: '/branch-ops',
  storeCount: '/store-count',
} as const;

export const reportTabs = ['standard', 'custom', 'management', 'performance'] as const;
export type ReportTab = (typeof reportTabs)[number];

type ParamOf<P extends string> = P extends `${infer A}/${infer B}`
  ? ParamOf<A> | ParamOf<B>
  : P extends `:${infer Name}`
    ? Name
    : never;
type ParamsOf<K extends PageKey> = Record<ParamOf<(typeof pages)[K]['path']>, string>;
type Search = Record<string, string | number | boolean | null | undefined>;

/** The address of a page, with its parameters by name. */
export function to<K extends PageKey>(
  key: K,
  ...rest: [ParamOf<(typeof pages)[K]['path']>] extends [never]
    ? [params?: null, search?: Search]
    : [params: ParamsOf<K>, search?: Search]
): string {
  const [params, search] = rest;
  const path = pages[key].path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent((params as Record<string, string> | null | undefined)?.[name] ?? ''),
  );
  return path + queryString(search);
}

/** `?a=1&b=2`, without empty values. */
export function queryString(search: Search = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text && `?${text}`;
}

export function spec(key: PageKey): PageSpec {
  return pages[key];
}
