// Server answers kept for screens that work offline. Each is stored for the user it was given to.
import { disk } from './device';

const key = (uid: string, name: string) => `of:${uid}:${name}`;

/** A predicate for the cache keys of this user. */
export const isKeyOf = (uid: string) => (kept: string) => kept.startsWith(key(uid, ''));

export async function cachePut(uid: string, name: string, value: unknown): Promise<void> {
  try {
    await disk.put('cache', key(uid, name), value);
  } catch {
    // No room: the next offline start has less to show.
  }
}

export async function cacheGet<T>(uid: string, name: string): Promise<T | undefined> {
  try {
    return (await disk.get('cache', key(uid, name))) as T | undefined;
  } catch {
    return undefined;
  }
}

export async function cacheDelete(uid: string, name: string): Promise<void> {
  await disk.change('cache', [], [key(uid, name)]).catch(() => {});
}

/** This user's entries whose names begin with `prefix`. */
export async function cacheAll<T>(uid: string, prefix: string): Promise<[string, T][]> {
  const start = key(uid, prefix);
  try {
    // Not all of the cache, which has pictures too.
    const names = (await disk.keys('cache')).filter((name) => name.startsWith(start));
    const values = await Promise.all(names.map((name) => disk.get('cache', name)));
    return names.map((name, i) => [name.slice(key(uid, '').length), values[i] as T]);
  } catch {
    return [];
  }
}

/** How long to wait for the server before a cached answer is used. */
const PATIENCE_MS = 1_500;

/**
 * Asks the server, and falls back to the cached answer when it is unreachable. With `late`, a cached answer is used
 * instead of waiting for a slow one (a hanging network, as in a freezer); `late` gets the slow one when it arrives.
 */
export async function fetchThroughCache<T>(
  uid: string,
  name: string,
  ask: () => Promise<T>,
  unreachable: (error: unknown) => boolean,
  late?: (answer: T) => void,
): Promise<T> {
  const asking = ask().then((answer) => {
    void cachePut(uid, name, answer);
    return answer;
  });
  try {
    if (late) {
      const over = new Promise<null>((done) => setTimeout(done, PATIENCE_MS, null));
      const first = await Promise.race([asking.then((answer) => ({ answer })), over]);
      if (first) return first.answer;
      const kept = await cacheGet<T>(uid, name);
      if (kept !== undefined) {
        asking.then(late, () => {});
        return kept;
      }
    }
    return await asking;
  } catch (error) {
    const kept = unreachable(error) ? await cacheGet<T>(uid, name) : undefined;
    if (kept === undefined) throw error;
    return kept;
  }
}
