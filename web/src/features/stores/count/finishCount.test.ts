import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import type { MemoryDisk } from '#/offline/testing';
import { countApi } from './api';
import { finishCount, sendFinishRequests } from './finishCount';
import type { CountState, Scope } from './types';

const device = vi.hoisted(() => ({ disk: null as unknown }));
vi.mock('#/offline/device', async () => {
  const { MemoryDisk, MemoryMirror } = await import('#/offline/testing');
  device.disk = new MemoryDisk();
  return { disk: device.disk, mirror: new MemoryMirror(), dropPictures: async () => {} };
});

const scope: Scope = { storeId: 's', date: '2026-11-20', session: 'opening' };
const stored = () => [...(device.disk as MemoryDisk).stores.meta.keys()];
const refused = (status: number, worded: boolean) =>
  new Problem(status, 'x', 'No.', [], null, {}, worded);

beforeEach(() => (device.disk as MemoryDisk).stores.meta.clear());

describe('a request to finish a count', () => {
  it.each([
    ['a failing server', refused(500, true)],
    ['an overloaded server', refused(429, true)],
    ['a session that has ended', refused(401, true)],
    ['a proxy that refuses', refused(403, false)],
    ['the page of a Wi-Fi portal', refused(200, false)],
    ['no answer', Problem.offline()],
  ])('outlives %s', async (_, problem) => {
    const finish = vi.spyOn(countApi, 'finish').mockRejectedValue(problem);
    await finishCount('ana', scope).catch(() => {});
    await sendFinishRequests('ana');
    expect(stored()).toEqual(['finish:s:2026-11-20:opening']);
    finish.mockResolvedValue({} as CountState);
    await sendFinishRequests('ana');
    expect(stored()).toEqual([]);
  });

  it('ends when the server refuses it', async () => {
    vi.spyOn(countApi, 'finish').mockRejectedValue(refused(409, true));
    await expect(finishCount('ana', scope)).rejects.toThrow('No.');
    expect(stored()).toEqual([]);
  });

  it('waits without an error when only a proxy answered', async () => {
    vi.spyOn(countApi, 'finish').mockRejectedValue(refused(404, false));
    expect(await finishCount('ana', scope)).toBe(false);
  });
});
