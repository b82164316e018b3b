// A photo taken offline waits on the device, shrunk, until it can be sent.
import { disk } from '#/offline/device';
import { uuid7 } from '#/offline/uuid7';
import { countApi } from './api';
import { CountModel } from './countModel';
import { outbox } from './countQueue';
import type { Scope } from './types';

const KEY_PREFIX = 'photo-waiting:';

interface WaitingPhoto {
  scope: Scope;
  uid: string;
  itemId: string;
  photo: Blob;
}

/** Stores a photo until it is sent; in «meta», because «cache» may be cleared. */
export async function keepPhoto(
  scope: Scope,
  uid: string,
  itemId: string,
  photo: Blob,
): Promise<void> {
  const waiting: WaitingPhoto = { scope, uid, itemId, photo };
  await disk.put('meta', KEY_PREFIX + uuid7(), waiting);
}

export async function countWaitingPhotos(): Promise<number> {
  try {
    return (await disk.keys('meta')).filter((key) => key.startsWith(KEY_PREFIX)).length;
  } catch {
    return 0;
  }
}

let sending: Promise<void> | null = null;

/** Sends waiting photos; each is attached by counting its item again with the current value. */
export function sendPhotos(uid: string): Promise<void> {
  sending ??= run(uid).finally(() => {
    sending = null;
  });
  return sending;
}

async function run(uid: string): Promise<void> {
  const keys = await disk.keys('meta').catch(() => []);
  for (const key of keys) {
    if (!key.startsWith(KEY_PREFIX)) continue;
    const waiting = (await disk.get('meta', key).catch(() => undefined)) as
      | WaitingPhoto
      | undefined;
    if (!waiting) continue;
    const { scope, itemId, photo, uid: by } = waiting;
    if (by !== uid) continue;
    const book = new CountModel(outbox, scope, uid);
    try {
      book.setEntries(await countApi.entries(scope.storeId, scope.date));
      const { counted, qty } = book.peek(itemId);
      // A photo needs a count to belong to: it waits for one.
      if (!counted) continue;
      const sent = await countApi.photo(scope.storeId, photo);
      await book.count(itemId, qty, { photo: sent.photo });
    } catch {
      return;
    }
    await disk.change('meta', [], [key]).catch(() => {});
  }
}
