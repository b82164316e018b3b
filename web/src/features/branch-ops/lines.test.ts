import { beforeEach, expect, it, vi } from 'vitest';
import type { Me } from '#/api/session';
import { keepLines } from './lines';
import type { Coming } from './types';

const asked = vi.hoisted(() => vi.fn());
vi.mock('#/offline/cache', () => ({ cacheGet: () => Promise.resolve(undefined) }));
vi.mock('./data', () => ({ askAndKeep: asked }));
vi.mock('#/api/session', () => ({ can: () => true, useMe: () => undefined }));

beforeEach(() => asked.mockReset().mockResolvedValue({}));

it.each(['2020-01-01', '2999-12-31'])(
  'keeps the lines of what is on its way, planned for %s',
  async (plannedDate) => {
    const coming = { id: 'd1', status: 'dispatched', plannedDate } as Coming;
    await keepLines({ user: { uid: 'u1' } } as Me, coming);
    expect(asked).toHaveBeenCalledWith('u1', ['lines', 'd1', 'dispatched'], expect.any(Function));
  },
);
