import { renderHook, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Me } from '#/api/session';
import { startCountSync, startWarmUp } from '#/features/stores/count/background';
import { useOfflineWork } from './offline';

vi.mock('#/features/stores/count/background', () => ({
  startCountSync: vi.fn(() => vi.fn()),
  startWarmUp: vi.fn(() => vi.fn()),
}));

it('sends pending records while the user chooses an app, and loads nothing before that', async () => {
  const hears = new Set<() => void>();
  const router = {
    state: { location: { pathname: '/' } },
    subscribe: (hear: () => void) => {
      hears.add(hear);
      return () => hears.delete(hear);
    },
  };
  const go = (pathname: string) => {
    router.state = { location: { pathname } };
    for (const hear of hears) hear();
  };
  const me = { user: { uid: 'u1', superAdmin: true }, permissions: {} } as unknown as Me;
  renderHook(() => useOfflineWork(me, true, router));
  await waitFor(() => expect(startCountSync).toHaveBeenCalledWith('u1'));
  expect(startWarmUp).not.toHaveBeenCalled();
  go('/stores/locations');
  await waitFor(() => expect(startWarmUp).toHaveBeenCalledWith('u1'));
  // Navigation must not start it again.
  go('/stores/count');
  await new Promise((done) => setTimeout(done, 0));
  expect(startWarmUp).toHaveBeenCalledTimes(1);
  expect(startCountSync).toHaveBeenCalledTimes(1);
});
