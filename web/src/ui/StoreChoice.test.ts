import { expect, it } from 'vitest';
import { openOnly } from '#/api/names';
import { storeOptions } from './StoreChoice';

it('puts closed stores last, marked, and leaves them out for new records', () => {
  const stores = [
    { id: 'a', name: 'Ayala', inactive: true },
    { id: 'b', name: 'Binondo' },
  ];
  expect(storeOptions(stores)).toEqual([
    { value: 'b', label: 'Binondo' },
    { value: 'a', label: 'Ayala (closed)' },
  ]);
  expect(openOnly(stores).map(({ id }) => id)).toEqual(['b']);
});
