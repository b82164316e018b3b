// Who was signed in last, for a start without a network. It is written only when the server has just
// said so and is gone the moment nobody is signed in; what the server gave to others goes with it.
import type { Me } from '#/api/session';
import { disk, mirror } from './device';

const IDENTITY = 'identity';
/** Forgetting must not wait for a database: without the word in here, what is in there is nobody. */
const WORD = 'larder:here';
/** So long a device may be believed that has not met the server. */
const LONGEST_MS = 7 * 24 * 3_600_000;

interface Kept {
  word: string;
  at: number;
  me: Me;
}

function word(): string | null {
  const value = mirror.all(WORD)[0]?.[1];
  return typeof value === 'string' ? value : null;
}

/** The server has said who this is. */
export async function remember(me: Me): Promise<void> {
  const known = word() ?? crypto.randomUUID();
  mirror.put(WORD, known);
  try {
    const before = (await disk.get('meta', IDENTITY)) as Kept | undefined;
    if (before && before.me.user.uid !== me.user.uid) await disk.sweep('cache', '');
    // Signed out while this was being written.
    if (word() !== known) return;
    await disk.put('meta', IDENTITY, { word: known, at: Date.now(), me } satisfies Kept);
    if (word() !== known) await forgetWho();
  } catch {
    // A device that cannot remember asks for a connection.
  }
}

/** Nobody is signed in any more; what waits to be sent is not touched. */
export async function forgetWho(): Promise<void> {
  mirror.remove(WORD);
  await disk.change('meta', [], [IDENTITY]).catch(() => {});
  await disk.sweep('cache', '').catch(() => {});
}

/** Who was here last, unless that is too long ago or they have left. */
export async function whoWasHere(now = Date.now()): Promise<Me | null> {
  const known = word();
  if (!known) return null;
  try {
    const kept = (await disk.get('meta', IDENTITY)) as Kept | undefined;
    if (kept?.word !== known || now - kept.at > LONGEST_MS || kept.at - now > LONGEST_MS)
      return null;
    return kept.me;
  } catch {
    return null;
  }
}
