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

import { forgetWho, remember, whoWasHere } from './vault';

const me = (uid: string) => ({ user: { uid } }) as unknown as Me;
const DAY = 24 * 3_600_000;

describe('who was here last', () => {
  let disk: MemoryDisk;
  let mirror: MemoryMirror;
  beforeEach(() => {
    disk = new MemoryDisk();
    mirror = new MemoryMirror();
    Object.assign(stores, { disk, mirror });
  });
  afterEach(() => vi.useRealTimers());

  it('is known until they leave', async () => {
    expect(await whoWasHere()).toBeNull();
    await remember(me('ana'));
    expect((await whoWasHere())?.user.uid).toBe('ana');
    await forgetWho();
    expect(await whoWasHere()).toBeNull();
    await remember(me('ana'));
    expect((await whoWasHere())?.user.uid).toBe('ana');
  });

  it('is forgotten at once, before any database has answered', async () => {
    await remember(me('ana'));
    void forgetWho();
    expect(await whoWasHere()).toBeNull();
  });

  it('is not remembered by an answer that comes after they have left', async () => {
    await remember(me('ana'));
    const late = remember(me('ana'));
    await forgetWho();
    await late;
    expect(await whoWasHere()).toBeNull();
    expect(disk.shelves.meta.size).toBe(0);
  });

  it('is believed for a week without the server', async () => {
    await remember(me('ana'));
    expect(await whoWasHere(Date.now() + 6 * DAY)).not.toBeNull();
    expect(await whoWasHere(Date.now() + 8 * DAY)).toBeNull();
    expect(await whoWasHere(Date.now() - 8 * DAY)).toBeNull();
  });

  it('leaves nothing to the next person but what waits to be sent', async () => {
    await remember(me('ana'));
    await disk.put('cache', 'of:ana:stores', []);
    await disk.put('pending', 'x', {});
    await remember(me('ana'));
    expect(disk.shelves.cache.size).toBe(1);
    await remember(me('ben'));
    expect([disk.shelves.cache.size, disk.shelves.pending.size]).toEqual([0, 1]);
    await disk.put('cache', 'of:ben:stores', []);
    await forgetWho();
    expect([disk.shelves.cache.size, disk.shelves.pending.size]).toEqual([0, 1]);
  });

  it('leaves to a new person what the screens were answered meanwhile', async () => {
    await disk.put('cache', 'of:ana:stores', []);
    const known = remember(me('ben'));
    await disk.put('cache', 'of:ben:stores', []);
    await known;
    expect([...disk.shelves.cache.keys()]).toEqual(['of:ben:stores']);
    const left = forgetWho();
    await disk.put('cache', 'of:ana:stores', []);
    await left;
    expect([...disk.shelves.cache.keys()]).toEqual(['of:ana:stores']);
  });
});
