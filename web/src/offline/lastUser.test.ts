import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Me } from '#/api/session';
import { MemoryDisk, MemoryMirror } from './testing';

const stores = vi.hoisted(() => ({ disk: null as unknown, mirror: null as unknown }));
vi.mock('./device', () => ({
  get disk() {
    return stores.disk;
  },
  get mirror() {
    return stores.mirror;
  },
}));

import { forgetUser, lastUser, rememberUser } from './lastUser';

const me = (uid: string) => ({ user: { uid } }) as unknown as Me;
const DAY = 24 * 3_600_000;

describe('the last user', () => {
  let disk: MemoryDisk;
  let mirror: MemoryMirror;
  beforeEach(() => {
    disk = new MemoryDisk();
    mirror = new MemoryMirror();
    Object.assign(stores, { disk, mirror });
  });
  afterEach(() => vi.useRealTimers());

  it('is known until they sign out', async () => {
    expect(await lastUser()).toBeNull();
    await rememberUser(me('ana'));
    expect((await lastUser())?.user.uid).toBe('ana');
    await forgetUser();
    expect(await lastUser()).toBeNull();
    await rememberUser(me('ana'));
    expect((await lastUser())?.user.uid).toBe('ana');
  });

  it('is forgotten at once, before the database answers', async () => {
    await rememberUser(me('ana'));
    void forgetUser();
    expect(await lastUser()).toBeNull();
  });

  it('is not remembered by an answer that arrives after sign-out', async () => {
    await rememberUser(me('ana'));
    const late = rememberUser(me('ana'));
    await forgetUser();
    await late;
    expect(await lastUser()).toBeNull();
    expect(disk.stores.meta.size).toBe(0);
  });

  it('is valid for a week without the server', async () => {
    await rememberUser(me('ana'));
    expect(await lastUser(Date.now() + 6 * DAY)).not.toBeNull();
    expect(await lastUser(Date.now() + 8 * DAY)).toBeNull();
    expect(await lastUser(Date.now() - 8 * DAY)).toBeNull();
  });

  it('leaves only unsent records to the next user', async () => {
    await rememberUser(me('ana'));
    await disk.put('cache', 'of:ana:stores', []);
    await disk.put('pending', 'x', {});
    await rememberUser(me('ana'));
    expect(disk.stores.cache.size).toBe(1);
    await rememberUser(me('ben'));
    expect([disk.stores.cache.size, disk.stores.pending.size]).toEqual([0, 1]);
    await disk.put('cache', 'of:ben:stores', []);
    await forgetUser();
    expect([disk.stores.cache.size, disk.stores.pending.size]).toEqual([0, 1]);
  });

  it('keeps what was cached meanwhile for a new user', async () => {
    await disk.put('cache', 'of:ana:stores', []);
    const known = rememberUser(me('ben'));
    await disk.put('cache', 'of:ben:stores', []);
    await known;
    expect([...disk.stores.cache.keys()]).toEqual(['of:ben:stores']);
    const left = forgetUser();
    await disk.put('cache', 'of:ana:stores', []);
    await left;
    expect([...disk.stores.cache.keys()]).toEqual(['of:ana:stores']);
  });
});
