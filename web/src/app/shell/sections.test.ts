import { describe, expect, it } from 'vitest';
import type { Me } from '#/api/session';
import { activeSection, highlight, isEnabled, landingOf, sections } from './sections';

const me = (permissions: object) => ({ user: { superAdmin: false }, permissions }) as unknown as Me;
const section = (name: string) => {
  const found = sections.find((one) => one.name === name);
  if (!found) throw new Error(name);
  return found;
};

describe('the rail', () => {
  it('has the sections and routes, the default first', () => {
    expect(
      sections.map(({ name, items }) => `${name}: ${items.map(({ path }) => path).join(', ')}`),
    ).toEqual([
      'Dashboard: /dashboard/main, /dashboard/drp-new',
      'Commissary: /lists/commissaries, /commissary/orders, /commissary/production, /commissary/deliveries',
      'Products: /products, /stock/lots',
      'Stores: /stores/locations, /stores/inventory, /stores/count, /stores/orders, /stores/receive',
      'Sales: /sales/cmsr, /sales/z-reading, /sales/netsuite, /tools/import-sales-product',
      'Reports: /reports/standard, /reports/custom, /reports/management, /reports/performance',
    ]);
  });

  it.each([
    ['/products', 'Products'],
    ['/products/p1', 'Products'],
    ['/stores/orders', 'Orders'],
    ['/stores/receive/r1', 'Orders'],
    ['/stores/locations/s1', 'Locations'],
    ['/stores/inventory', 'Locations'],
    ['/stores/transactions', 'Store transactions'],
    ['/stores/count', 'Store count'],
    ['/lists/uoms', 'Home'],
    ['/reports/standard', 'Home'],
  ])('highlights %s as %s', (path, name) => {
    expect(highlight(path)).toBe(name);
  });

  it.each([
    ['/stores/receive', 'Stores'],
    ['/lists/commissaries', 'Commissary'],
    ['/reports/weekly-root-item-sales', 'Reports'],
    ['/tools/import-sales-product', 'Sales'],
    ['/lists', 'Dashboard'],
    ['/users', 'Dashboard'],
  ])('lights on %s the section %s', (path, name) => {
    expect(activeSection(path)).toBe(name);
  });

  it('enables a section by its own permission or by any item', () => {
    const nobody = me({});
    const counter = me({ stores: { storeCount: { view: true } } });
    const manager = me({ stores: { storeList: { view: true } } });
    expect(isEnabled(nobody, section('Stores'))).toBe(false);
    expect(isEnabled(counter, section('Stores'))).toBe(true);
    expect(landingOf(manager, section('Stores'))).toBe('/stores/locations');
    expect(landingOf(nobody, section('Stores'))).toBeNull();
  });
});
