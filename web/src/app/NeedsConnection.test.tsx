import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type Me, MeContext } from '#/api/session';
import { MemoryDisk, MemoryMirror } from '#/offline/testing';

const stores = vi.hoisted(() => ({ disk: null as unknown, mirror: null as unknown }));
vi.mock('#/offline/device', () => ({
  get disk() {
    return stores.disk;
  },
  get mirror() {
    return stores.mirror;
  },
}));

import { cachePut } from '#/offline/cache';
import { NeedsConnection } from './NeedsConnection';

const user = (permissions: object) =>
  ({ user: { uid: 'ana', superAdmin: false }, permissions }) as unknown as Me;
const KITCHEN = { commissary: { orders: { view: true, edit: true } } };

function show(me: Me | null) {
  return render(
    <MantineProvider>
      <MeContext value={me}>
        <NeedsConnection />
      </MeContext>
    </MantineProvider>,
  );
}
const links = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'));

it('leads to what the role has and works without a connection', async () => {
  Object.assign(stores, { disk: new MemoryDisk(), mirror: new MemoryMirror() });
  await cachePut('ana', 'stockTake:t1', { id: 't1', takeNo: 'ST-1', status: 'counting' });
  await cachePut('ana', 'stockTake:t2', { id: 't2', takeNo: 'ST-2', status: 'posted' });
  await cachePut('ben', 'stockTake:t3', { id: 't3', takeNo: 'ST-3', status: 'counting' });

  const kitchen = show(user(KITCHEN));
  expect(await screen.findByRole('link', { name: 'Stock-take ST-1' })).toBeDefined();
  expect(links()).toEqual(['/commissary/stock-takes/t1']);
  kitchen.unmount();

  const store = show(
    user({
      stores: { storeCount: { view: true } },
      apps: { storeCount: { view: true }, branchOps: { view: true } },
    }),
  );
  expect(links()).toEqual(['/store-count', '/branch-ops']);
  store.unmount();

  const office = show(user({ stores: { storeCount: { view: true } } }));
  expect(links()).toEqual(['/stores/count']);
  office.unmount();

  show(null);
  expect(links()).toEqual([]);
  expect(screen.getByText('It opens again once the connection is back.')).toBeDefined();
});
