// Answers of the server that a screen needs without it. Each belongs to the person it was given to.
import { disk } from './device';

const key = (uid: string, name: string) => `of:${uid}:${name}`;

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

/** Asks the server; without an answer, what it said last. `fresh` hears what is new. */
export async function throughCache<T>(
  uid: string,
  name: string,
  ask: () => Promise<T>,
  unreachable: (error: unknown) => boolean,
): Promise<T> {
  try {
    const answer = await ask();
    void keep(uid, name, answer);
    return answer;
  } catch (error) {
    const kept = unreachable(error) ? await recall<T>(uid, name) : undefined;
    if (kept === undefined) throw error;
    return kept;
  }
}
