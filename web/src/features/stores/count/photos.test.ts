import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import type { MemoryDisk } from '#/offline/testing';
import { countApi } from './api';
import { discardPhoto, keepPhoto, refusalOf, retryPhoto, sendPhotos } from './photos';
import type { Scope } from './types';

const device = vi.hoisted(() => ({ disk: null as unknown }));
vi.mock('#/offline/device', async () => {
  const { MemoryDisk, MemoryMirror } = await import('#/offline/testing');
  device.disk = new MemoryDisk();
  return { disk: device.disk, mirror: new MemoryMirror(), dropPictures: async () => {} };
});
vi.mock('./countModel', () => ({
  CountModel: class {
    setEntries() {}
    peek() {
      return { counted: true, qty: 2 };
    }
    count = async () => {};
  },
}));

const scope: Scope = { storeId: 's', date: '2026-11-20', session: '' };
/** Stands in for a picture: jsdom cannot clone a Blob. */
const photo = (name: string) => name as unknown as Blob;
const left = () => [...(device.disk as MemoryDisk).stores.meta.keys()];
/** The server answers each photo by its item. */
let sent: string[] = [];
function server(answers: Record<string, Problem>): void {
  sent = [];
  vi.spyOn(countApi, 'entries').mockResolvedValue([]);
  vi.spyOn(countApi, 'photo').mockImplementation(async (_, raw) => {
    const name = String(raw);
    const refused = answers[name];
    if (refused) throw refused;
    sent.push(name);
    return { photo: name };
  });
}
const keep = (name: string, uid = 'ana') => keepPhoto(scope, uid, name, photo(name));

beforeEach(() => (device.disk as MemoryDisk).stores.meta.clear());

describe('photos waiting on the device', () => {
  it('are sent after a refused one, which stays with the reason', async () => {
    server({ torn: new Problem(422, 'invalid', 'This is not a picture.') });
    const torn = await keep('torn');
    await keep('whole');
    await sendPhotos('ana');
    expect(sent).toEqual(['whole']);
    expect(left()).toEqual([torn]);
    expect(refusalOf(torn)).toBe('This is not a picture.');
    // It is not sent again by itself.
    await sendPhotos('ana');
    expect(countApi.photo).toHaveBeenCalledTimes(2);
  });

  it('are resent or discarded after a refusal, as the user decides', async () => {
    server({ big: new Problem(413, 'tooLarge', 'The file is too large.') });
    const key = await keep('big');
    await sendPhotos('ana');
    server({});
    await retryPhoto({ key, scope, uid: 'ana', itemId: 'big', photo: photo('big'), refused: 'x' });
    expect(sent).toEqual(['big']);
    expect(left()).toEqual([]);
    const other = await keep('other');
    await discardPhoto(other);
    expect(left()).toEqual([]);
  });

  it('are sent after one that fails at the server, which is retried', async () => {
    server({ odd: new Problem(500, 'internal', 'Something went wrong.') });
    const odd = await keep('odd');
    await keep('even');
    await sendPhotos('ana');
    expect(sent).toEqual(['even']);
    expect(refusalOf(odd)).toBe('');
    server({});
    await sendPhotos('ana');
    expect(left()).toEqual([]);
  });

  it.each([
    [429, 'rateLimited'],
    [401, 'unauthenticated'],
  ])('all wait after %i', async (status, code) => {
    server({ first: new Problem(status, code, 'Wait.') });
    await keep('first');
    await keep('second');
    await sendPhotos('ana');
    expect(sent).toEqual([]);
    expect(left()).toHaveLength(2);
  });

  it('are sent by another run if they are kept or tried again during one', async () => {
    server({ torn: new Problem(422, 'invalid', 'This is not a picture.') });
    const key = await keep('torn');
    await sendPhotos('ana');
    let goOn = () => {};
    vi.spyOn(countApi, 'photo').mockImplementation(async (_, raw) => {
      if (String(raw) === 'slow') await new Promise<void>((done) => (goOn = done));
      sent.push(String(raw));
      return { photo: String(raw) };
    });
    await keep('slow');
    const first = sendPhotos('ana');
    await vi.waitFor(() => expect(countApi.photo).toHaveBeenCalledWith('s', 'slow'));
    // The run has read its photos: it knows this one as refused.
    const again = retryPhoto({
      key,
      scope,
      uid: 'ana',
      itemId: 'torn',
      photo: photo('torn'),
      refused: 'x',
    });
    await vi.waitFor(() => expect(refusalOf(key)).toBe(''));
    goOn();
    await first;
    await again;
    expect(sent).toEqual(['slow', 'torn']);
    expect(left()).toEqual([]);
  });

  it('of another user stay', async () => {
    server({});
    await keep('theirs', 'ben');
    await sendPhotos('ana');
    expect(left()).toHaveLength(1);
  });
});
