import { expect, it } from 'vitest';
import { openOnly } from '#/api/names';
import { storeOptions } from './StoreChoice';

it('marks stores that are closed, behind the others, and leaves them out where something new is made', () => {
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
