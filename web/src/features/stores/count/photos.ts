// A photo waits on the device, shrunk, until it is sent. One that the server refuses is set aside with the
// reason, so that the others go on.
import { useSyncExternalStore } from 'react';
import { Problem } from '#/api/problem';
import { disk } from '#/offline/device';
import { oneAtATime } from '#/offline/oneAtATime';
import { registerOutbox } from '#/offline/outboxes';
import { uuid7 } from '#/offline/uuid7';
import { countApi } from './api';
import { CountModel } from './countModel';
import { outbox } from './countQueue';
import type { Scope } from './types';

/** Devices hold photos under this prefix: neither it nor the names of the fields may change. */
const KEY_PREFIX = 'photo-waiting:';

interface StoredPhoto {
  scope: Scope;
  uid: string;
  itemId: string;
  photo: Blob;
  /** Why the server refused it; absent while it waits to be sent. */
  refused?: string;
}

export interface KeptPhoto extends StoredPhoto {
  key: string;
}

let kept: readonly KeptPhoto[] = [];
const listeners = new Set<() => void>();

function show(next: readonly KeptPhoto[]): void {
  kept = next;
  for (const listener of listeners) listener();
}

/** Reads that began, and the one that is shown. */
let begun = 0;
let shown = 0;

/** Reads the disk again: another tab may have written to it. */
async function load(): Promise<readonly KeptPhoto[]> {
  begun += 1;
  const turn = begun;
  try {
    const rows: KeptPhoto[] = [];
    for (const key of await disk.keys('meta')) {
      if (!key.startsWith(KEY_PREFIX)) continue;
      const photo = (await disk.get('meta', key)) as StoredPhoto | undefined;
      if (photo) rows.push({ ...photo, key });
    }
    // A read that took longer than a later one has nothing new.
    if (turn > shown) {
      shown = turn;
      show(rows);
    }
    return rows;
  } catch {
    // The device's storage cannot be read now; what was read before stays shown.
    return kept;
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The photos on this device, of all users. */
export function useKeptPhotos(): readonly KeptPhoto[] {
  return useSyncExternalStore(subscribe, () => kept);
}

/** Stores a photo until it is sent; in «meta», because «cache» may be cleared. */
export async function keepPhoto(
  scope: Scope,
  uid: string,
  itemId: string,
  photo: Blob,
): Promise<string> {
  const key = KEY_PREFIX + uuid7();
  const stored: StoredPhoto = { scope, uid, itemId, photo };
  await disk.put('meta', key, stored);
  await load();
  return key;
}

/** Why a photo was refused; empty if it was sent or waits. */
export function refusalOf(key: string): string {
  return kept.find((photo) => photo.key === key)?.refused ?? '';
}

export async function discardPhoto(key: string): Promise<void> {
  await disk.change('meta', [], [key]);
  await load();
}

/** Sends a refused photo once more. */
export async function retryPhoto({ key, refused, ...photo }: KeptPhoto): Promise<void> {
  await disk.put('meta', key, photo satisfies StoredPhoto);
  await load();
  await sendPhotos(photo.uid);
}

/** Whose photos are sent, and reported at sign-out: no other user can send them. */
let owner = '';

/** Sends waiting photos; each is attached by counting its item again with the current value. */
export function sendPhotos(uid: string): Promise<void> {
  owner = uid;
  return sendAll(uid);
}

const sendAll = oneAtATime(async (uid: string) => {
  for (const photo of await load()) {
    if (photo.uid !== uid || photo.refused) continue;
    if ((await send(photo)) === 'stop') break;
  }
  await load();
});

const isKept = async (key: string) => (await disk.get('meta', key)) !== undefined;

async function send({ key, ...photo }: KeptPhoto): Promise<'stop' | 'go on'> {
  const { scope, uid, itemId } = photo;
  const book = new CountModel(outbox, scope, uid);
  let reached = false;
  try {
    // Discarded, or sent by another tab, since the list was read.
    if (!(await isKept(key))) return 'go on';
    book.setEntries(await countApi.entries(scope.storeId, scope.date));
    reached = true;
    const { counted, qty } = book.peek(itemId);
    // A photo needs a count to belong to: it waits for one.
    if (!counted) return 'go on';
    const sent = await countApi.photo(scope.storeId, photo.photo);
    await book.count(itemId, qty, { photo: sent.photo });
    await disk.change('meta', [], [key]);
  } catch (error) {
    const problem = Problem.of(error);
    if (isRefusal(problem.status)) {
      try {
        if (await isKept(key)) await disk.put('meta', key, { ...photo, refused: problem.message });
      } catch {
        // Not written: it will be sent and refused once more next time.
      }
      return 'go on';
    }
    // A photo that fails alone is retried next time, after the others.
    return reached && !isForAll(problem.status) ? 'go on' : 'stop';
  }
  return 'go on';
}

/** Whether all photos would fail alike: signed out, or too many. */
const isForAll = (status: number) => status === 401 || status === 429;

/** Whether the answer is final. */
const isRefusal = (status: number) =>
  status >= 400 && status < 500 && status !== 408 && !isForAll(status);

// Unsent photos are reported at sign-out, like unsent counts.
registerOutbox({
  get waiting() {
    return kept.filter(({ uid, refused }) => uid === owner && !refused).length;
  },
  get aside() {
    return kept.filter(({ uid, refused }) => uid === owner && refused).length;
  },
  one: 'photo',
  subscribe,
  flush: () => sendPhotos(owner),
  // The pictures do not fit into this file; each can be downloaded next to its reason.
  exportAll: () => ({
    kind: 'countPhotos',
    photos: kept.map(({ key, scope, uid, itemId, refused }) => ({
      key,
      scope,
      uid,
      itemId,
      refused,
    })),
  }),
});
void load();
