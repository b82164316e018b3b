import { describe, expect, it } from 'vitest';
import type { Me } from '#/api/session';
import { mayOpen } from '#/api/session';
import { type PageKey, type Permission, pages, spec } from '#/paths';
import { firstPage } from './access';

const me = (permissions: object) => ({ user: { superAdmin: false }, permissions }) as unknown as Me;
const withRight = (right: Permission) => {
  const [category = '', page = ''] = right.split('/');
  return me({ apps: { backOffice: { view: true } }, [category]: { [page]: { view: true } } });
};
const keys = Object.keys(pages) as PageKey[];
const keyOf = (path: string) => keys.find((key) => pages[key].path === path) as PageKey;

describe('the first page of the back office', () => {
  const rights = new Set(keys.flatMap((key) => (spec(key).built && spec(key).can) || []));

  it.each([...rights])('is the only page a role may view: %s', (right) => {
    const person = withRight(right);
    const first = keyOf(firstPage(person));
    expect(mayOpen(person, first)).toBe(true);
    expect(spec(first).can).toBe(right);
  });

  it('is a page open to all for a role without pages', () => {
    const person = me({ apps: { backOffice: { view: true } } });
    const first = keyOf(firstPage(person));
    expect(mayOpen(person, first)).toBe(true);
  });

  it('is Home for a user who may view it', () => {
    const person = me({
      dashboard: { home: { view: true } },
      products: { products: { view: true } },
    });
    expect(firstPage(person)).toBe('/dashboard/main');
  });
});
