import type { PageKey } from '#/paths';

export interface MenuEntry {
  label: string;
  /** Absent when there is no page. */
  page?: PageKey;
  /** Opens the page with its form for a new record. */
  makes?: true;
}

export interface MenuGroup {
  title: string;
  entries: readonly MenuEntry[];
}

export const quickCreate: readonly MenuGroup[] = [
  {
    title: 'Stores',
    entries: [
      { label: 'Order', page: 'storesOrders' },
      { label: 'Receive Delivery', page: 'storesReceive' },
    ],
  },
  { title: 'Commissary', entries: [{ label: 'Delivery', page: 'commissaryDelivery' }] },
  { title: 'Products', entries: [{ label: 'Add product/service', page: 'products', makes: true }] },
  { title: 'Suppliers', entries: [{ label: 'Expense' }, { label: 'Bill' }] },
  { title: 'Team', entries: [{ label: 'Single time activity' }, { label: 'Weekly timesheet' }] },
  { title: 'Other', entries: [{ label: 'Journal entry' }, { label: 'Transfer' }] },
];

export const settings: readonly MenuGroup[] = [
  {
    title: 'Your company',
    entries: [
      { label: 'Account and settings' },
      { label: 'Manage users', page: 'users' },
      { label: 'Chart of accounts', page: 'chartOfAccounts' },
      { label: 'Custom form styles' },
      { label: 'Additional info' },
    ],
  },
  {
    title: 'Lists',
    entries: [
      { label: 'All lists', page: 'lists' },
      { label: 'Store inventory items', page: 'listStoreInventoryItems' },
      { label: 'Recurring transactions' },
      { label: 'Attachments' },
      { label: 'Custom fields' },
      { label: 'Rules' },
    ],
  },
  {
    title: 'Tools',
    entries: [
      { label: 'Services', page: 'toolsServices' },
      { label: 'Z-reading OCR', page: 'toolsZReadingOcr' },
      { label: 'Import sales', page: 'toolsImportSales' },
      { label: 'Import data', page: 'toolsImportData' },
      { label: 'Transaction insights', page: 'toolsTransactionInsights' },
      { label: 'Manage workflows' },
    ],
  },
];
