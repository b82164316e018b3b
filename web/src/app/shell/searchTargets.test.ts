import { describe, expect, it } from 'vitest';
import type { Me } from '#/api/session';
import { searchTargets } from './searchTargets';

const me = (permissions: object, superAdmin = false) =>
  ({ user: { superAdmin }, permissions }) as unknown as Me;
const titles = (who: Me) => searchTargets(who).map(({ title }) => title);
const path = (who: Me, title: string) =>
  searchTargets(who).find((target) => target.title === title)?.path;

describe('search targets', () => {
  it('include everything for a super admin, each once', () => {
    const all = searchTargets(me({}, true));
    expect(titles(me({}, true))).toEqual(
      expect.arrayContaining(['Units of measure', 'New product', 'Import products', 'Sign out']),
    );
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  });

  it('lead to the form of a new record and to the import of its list', () => {
    const admin = me({}, true);
    expect(path(admin, 'New product')).toBe('/products?open=new');
    expect(path(admin, 'New store')).toBe('/stores/locations/new');
    expect(path(admin, 'New company')).toBe('/lists/companies?open=new');
    expect(path(admin, 'Import products')).toBe('/tools/import-data?list=products');
    expect(path(admin, 'Import units of measure')).toBe('/tools/import-data?list=uoms');
  });

  it('include nothing the user may not do', () => {
    const viewer = me({ products: { products: { view: true } } });
    expect(titles(viewer)).toContain('Products & services');
    expect(titles(viewer).filter((title) => /^(New|Import|Adjust)/.test(title))).toEqual([]);
    const importer = me({
      products: { products: { view: true, create: true, edit: true } },
      tools: { importData: { view: true, import: true } },
    });
    expect(titles(importer).filter((title) => /^(New|Import p|Adjust)/.test(title))).toEqual([
      'New product',
      'Import products',
      'Adjust quantity…',
    ]);
    expect(titles(importer)).not.toContain('New regional area');
  });
});
