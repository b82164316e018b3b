import { expect, it } from 'vitest';
import { pageAt } from './pageAt';

it.each([
  ['/stores/orders', 'storesOrders'],
  ['/stores/orders/so-1', 'storesOrder'],
  ['/commissary/delivery/d-1', 'commissaryDeliveryOne'],
  ['/lists/root-items/proposed', 'listProposedPrices'],
  ['/reports/custom', 'reports'],
  ['/reports/custom/new', 'reportCustomNew'],
  ['/reports/smbcd', 'reportSmbcd'],
  ['/reports/root-item-weekly-snapshot', 'reportsRootItemWeeklySnapshot'],
  ['/users/roles', 'usersTab'],
  ['/lists/order-templates', null],
  ['/nowhere', null],
])('%s is the page %s', (path, key) => {
  expect(pageAt(path)).toBe(key);
});
