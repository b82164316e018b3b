import { describe, expect, it } from 'vitest';
import type { Me } from '#/api/session';
import { type PageKey, pages } from '#/paths';
import { highlighted, isEnabled, landingOf, sections } from './sections';

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
      'Stores: /stores/locations, /stores/inventory, /stores/count, /stores/orders, /stores/receive, /stores/transactions',
      'Sales: /sales/cmsr, /sales/z-reading, /sales/tender-report, /sales/netsuite, /tools/import-sales-product, /tools/import-sales-product-bq',
      'Reports: /reports/standard, /reports/custom, /reports/management, /reports/performance',
    ]);
  });

  const entry = (path: string) => {
    const { section, item } = highlighted(path);
    return `${section.name} › ${item.label}`;
  };

  it.each([
    ['/products', 'Products › Products'],
    ['/products/p1', 'Products › Products'],
    ['/stores/orders', 'Stores › Orders'],
    ['/stores/receive', 'Stores › Orders'],
    ['/stores/receive/r1', 'Stores › Orders'],
    ['/stores/locations/s1', 'Stores › Locations'],
    ['/stores/inventory', 'Stores › Locations'],
    ['/stores/transactions', 'Stores › Store transactions'],
    ['/stores/count', 'Stores › Store count'],
    ['/lists', 'Dashboard › Home'],
    ['/productsold', 'Dashboard › Home'],
    ['/reports/no-such-tab', 'Reports › Standard'],
  ])('highlights on %s the entry %s', (path, name) => {
    expect(entry(path)).toBe(name);
  });

  it('highlights one entry on every page', () => {
    const paths = (Object.keys(pages) as PageKey[]).map((key) => pages[key].path);
    expect(paths.map((path) => `${path}: ${entry(path)}`).join('\n')).toMatchSnapshot();
  });

  it('highlights its own address with every entry, but for two that are specified otherwise', () => {
    const others = sections
      .flatMap(({ items }) => items)
      .filter((item) => highlighted(item.path).item !== item);
    expect(others.map(({ path }) => path)).toEqual(['/stores/inventory', '/stores/receive']);
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
