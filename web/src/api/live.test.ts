import { describe, expect, it } from 'vitest';
import { KEY } from '#/features/branch-ops/keys';
import { recordKinds } from '#/records';
import { staleKeys } from './live';
import { isAnswerable } from './queries';

const keys = (kind: string, id = 'x1') =>
  staleKeys({ kind, id, action: 'updated' }).map((key) => key.join(' '));

describe('what a change makes stale', () => {
  it("uses the branch app's key for a store's day", () => {
    expect(keys('receipt')).toContain(KEY.join(' '));
  });

  it.each(Object.entries(recordKinds))('%s: its list, its names, the search', (kind, { slug }) => {
    const list = kind === 'location' ? 'stores' : `lists ${slug}`;
    expect(keys(kind)).toEqual(
      expect.arrayContaining([list, `names ${slug}`, 'history', 'search']),
    );
  });

  it.each([
    ['stock', 'lists products'],
    ['account', 'lists products'],
    ['rootItem', 'lists recipes costs'],
    ['companyDocument', 'lists companies'],
    ['importBatch', 'import-data'],
    ['salesBatch', 'import-sales'],
    ['salesDay', 'reports'],
    ['job', 'jobs x1'],
    ['jobFailed', 'notifications'],
    ['jobFailed', 'dashboard main'],
    ['role', 'people'],
    // What a store sees of its day on the phone.
    ['storeOrder', 'branch-ops'],
    ['delivery', 'branch-ops'],
    ['receipt', 'branch-ops'],
    ['transfer', 'branch-ops'],
    ['waste', 'branch-ops'],
    ['lot', 'branch-ops'],
    ['storeCount', 'branch-ops'],
    ['deliveryCalendar', 'branch-ops'],
    ['sales', 'branch-ops'],
    ['receivingSettings', 'branch-ops'],
  ])('%s: %s', (kind, key) => {
    expect(keys(kind)).toContain(key);
  });

  it('refetches tasks when a job fails, not at each of its steps', () => {
    expect(keys('job')).toEqual(['jobs x1']);
  });

  it('keeps imports of lists and of sales apart', () => {
    expect(keys('importBatch')).toContain('import-data');
    expect(keys('importBatch')).not.toContain('import-sales');
    expect(keys('salesBatch')).not.toContain('import-data');
  });

  it('ignores kinds it does not know', () => {
    expect(keys('weather')).toEqual([]);
  });
});

it('refetches lists and history, but not a deleted record', () => {
  const gone = new Set(['x1']);
  expect(isAnswerable(['lists', 'companies', 'page'], gone)).toBe(true);
  expect(isAnswerable(['lists', 'companies', 'one', 'x2'], gone)).toBe(true);
  expect(isAnswerable(['history', 'companies', 'x1'], gone)).toBe(true);
  expect(isAnswerable(['lists', 'companies', 'one', 'x1'], gone)).toBe(false);
  expect(isAnswerable(['people', 'users', 'one', 'x1'], gone)).toBe(false);
});
