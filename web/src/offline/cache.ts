// Answers of the server that a screen needs without it. Each belongs to the person it was given to.
import { disk } from './device';

const key = (uid: string, name: string) => `of:${uid}:${name}`;

/** Whether something kept belongs to this person. */
export const isOf = (uid: string) => (kept: string) => kept.startsWith(key(uid, ''));

export async function keep(uid: string, name: string, value: unknown): Promise<void> {
  try {
    await disk.put('cache', key(uid, name), value);
  } catch {
    // No room for it: the next start without a network has less to show.
  }
}

export async function recall<T>(uid: string, name: string): Promise<T | undefined> {
  try {
    return (await disk.get('cache', key(uid, name))) as T | undefined;
  } catch {
    return undefined;
  }
}

export async function drop(uid: string, name: string): Promise<void> {
  await disk.change('cache', [], [key(uid, name)]).catch(() => {});
}

/** Everything of this kind that is kept for somebody. */
export async function recallAll<T>(uid: string, prefix: string): Promise<[string, T][]> {
  const start = key(uid, prefix);
  try {
    const rows = await disk.all('cache');
    return rows
      .filter(([name]) => name.startsWith(start))
      .map(([name, value]) => [name.slice(key(uid, '').length), value as T]);
  } catch {
    return [];
  }
}

/** A server that answers is waited for so long before what it said last is shown. */
const PATIENCE_MS = 1_500;

/**
 * Asks the server; without an answer, what it said last. An answer that takes long, as in a freezer
 * where the network hangs, is not waited for when there is an earlier one: `late` hears it then.
 */
export async function throughCache<T>(
  uid: string,
  name: string,
  ask: () => Promise<T>,
  unreachable: (error: unknown) => boolean,
  late?: (answer: T) => void,
): Promise<T> {
  const asking = ask().then((answer) => {
    void keep(uid, name, answer);
    return answer;
  });
  try {
    if (late) {
      const over = new Promise<null>((done) => setTimeout(done, PATIENCE_MS, null));
      const first = await Promise.race([asking.then((answer) => ({ answer })), over]);
      if (first) return first.answer;
      const kept = await recall<T>(uid, name);
      if (kept !== undefined) {
        asking.then(late, () => {});
        return kept;
      }
    }
    return await asking;
  } catch (error) {
    const kept = unreachable(error) ? await recall<T>(uid, name) : undefined;
    if (kept === undefined) throw error;
    return kept;
  }
}
