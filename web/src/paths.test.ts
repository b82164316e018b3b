import { describe, expect, it } from 'vitest';
import { outsideShell, type PageKey, pages, queryString, spec, to } from './paths';

const keys = Object.keys(pages) as PageKey[];

describe('paths', () => {
  it('knows every address of the product', () => {
    const lines = keys.map((key) => {
      const page = spec(key);
      return `${page.path}  ${page.can ?? 'anyone signed in'}${page.built ? '' : '  (not built)'}`;
    });
    expect([...Object.values(outsideShell), ...lines].join('\n')).toMatchSnapshot();
  });

  it('has no address twice', () => {
    const all = keys.map((key) => pages[key].path);
    expect(new Set(all).size).toBe(all.length);
  });

  it('fills in parameters and leaves out an empty search', () => {
    expect(to('storesLocation', { id: 'a/b' })).toBe('/stores/locations/a%2Fb');
    expect(to('toolsImportSalesDay', { storeId: 's1', year: '2019', month: '08', day: '03' })).toBe(
      '/tools/import-sales-product/import/s1/2019/08/03',
    );
    expect(to('listUoms', null, { q: 'kg', sort: '', open: undefined })).toBe('/lists/uoms?q=kg');
    expect(queryString({})).toBe('');
  });

  it('leaves exactly six pages of the shell without a guard', () => {
    expect(keys.filter((key) => !spec(key).can)).toEqual([
      // Each of its lists has the guard of its task.
      'dashboardWaiting',
      'listRegionalAreas',
      'listOperationalAreas',
      'toolsImportSalesBq',
      'toolsImportSalesRecords',
      'toolsImportSalesTerminals',
    ]);
  });
});
