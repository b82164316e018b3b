import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Me } from '#/api/session';
import { type PageKey, pages, spec } from '#/paths';
import { searchTargets } from './searchTargets';

const me = (permissions: object, superAdmin = false) =>
  ({ user: { superAdmin }, permissions }) as unknown as Me;
const titles = (who: Me) => searchTargets(who).map(({ title }) => title);
const path = (who: Me, title: string) =>
  searchTargets(who).find((target) => target.title === title)?.path;

const src = resolve(import.meta.dirname, '../..');
const routes = readFileSync(join(src, 'app/routes.tsx'), 'utf8');

/** The code of a page and of what is beside it in its folder. */
function codeOf(key: PageKey): string {
  const file =
    new RegExp(`\\b${key}: \\(\\) =>\\s*import\\('#/([^']+)'\\)`).exec(routes)?.[1] ?? '';
  const folder = join(src, dirname(file));
  const files = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile());
  const beside = files.map(({ name }) => readFileSync(join(folder, name), 'utf8'));
  return beside.join('\n');
}

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

  const made = searchTargets(me({}, true)).filter(({ title }) => title.startsWith('New '));
  it.each(made.map(({ title, path: at }) => [title, at ?? '']))('%s opens a form: %s', (_, at) => {
    const [pathname = '', search = ''] = at.split('?');
    const one = pathname.endsWith('/new');
    const known = (Object.keys(pages) as PageKey[]).find(
      (key) => pages[key].path === (one ? pathname.replace(/new$/, ':id') : pathname),
    );
    if (!known) throw new Error(`No page is at ${pathname}`);
    expect(spec(known).built).toBe(true);
    // Deliveries are made on a page of their own.
    if (known === 'commissaryDelivery') return;
    expect(search).toBe(one ? '' : 'open=new');
    const code = codeOf(known);
    // It opens on «new»; lists and the users' tabs do so for their pages.
    expect(code).toMatch(one ? /=== 'new'/ : /'new'|#\/lists\/|UsersTab/);
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
