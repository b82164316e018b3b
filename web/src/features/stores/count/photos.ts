// A photo taken without a network waits on the device, made small, until it can be sent.
import { disk } from '#/offline/device';
import { uuid7 } from '#/offline/uuid7';
import { countApi } from './api';
import { Book } from './book';
import { outbox } from './lane';
import type { Scope } from './types';

const WAITING = 'photo-waiting:';
const LONGEST_SIDE = 1600;

interface Waiting {
  scope: Scope;
  uid: string;
  itemId: string;
  photo: Blob;
}

/** As large as anybody needs to see it, and without what the camera wrote into it. */
export async function small(photo: Blob): Promise<Blob> {
  const picture = await createImageBitmap(photo);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((done) => {
    canvas.toBlob((made) => done(made ?? photo), 'image/jpeg', 0.82);
  });
}

/** Keeps a photo on the device; it is sent with the next that can be. Beside the cache, not in it. */
export async function keepPhoto(
  scope: Scope,
  uid: string,
  itemId: string,
  photo: Blob,
): Promise<void> {
  const waiting: Waiting = { scope, uid, itemId, photo };
  await disk.put('meta', WAITING + uuid7(), waiting);
}

export async function photosWaiting(): Promise<number> {
  try {
    return (await disk.keys('meta')).filter((key) => key.startsWith(WAITING)).length;
  } catch {
    return 0;
  }
}

let sending: Promise<void> | null = null;

/** Sends the photos that wait; each item is then counted in again, with the value that stands. */
export function sendPhotos(uid: string): Promise<void> {
  sending ??= run(uid).finally(() => {
    sending = null;
  });
  return sending;
}

async function run(uid: string): Promise<void> {
  const keys = await disk.keys('meta').catch(() => []);
  for (const key of keys) {
    if (!key.startsWith(WAITING)) continue;
    const waiting = (await disk.get('meta', key).catch(() => undefined)) as Waiting | undefined;
    if (!waiting) continue;
    const { scope, itemId, photo, uid: by } = waiting;
    if (by !== uid) continue;
    const book = new Book(outbox, scope, uid);
    try {
      book.learn(await countApi.entries(scope.storeId, scope.date));
      const { counted, qty } = book.peek(itemId);
      // A photo alone is no count: it waits for one.
      if (!counted) continue;
      const sent = await countApi.photo(scope.storeId, photo);
      await book.count(itemId, qty, { photo: sent.photo });
    } catch {
      return;
    }
    await disk.change('meta', [], [key]).catch(() => {});
  }
}
