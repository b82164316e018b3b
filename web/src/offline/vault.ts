// Who was signed in last, for a start without a network. It is written only when the server has just
// said so and is gone the moment nobody is signed in; what the server gave to others goes with it.
import type { Me } from '#/api/session';
import { isOf } from './cache';
import { disk, mirror } from './device';

const IDENTITY = 'identity';
/** Forgetting must not wait for a database: while this stands here, what is in there is nobody. */
const GONE = 'larder:gone';
/** So long a device may be believed that has not met the server. */
const LONGEST_MS = 7 * 24 * 3_600_000;

interface Kept {
  at: number;
  me: Me;
}

let forgotten = 0;

/** The server has said who this is. */
export async function remember(me: Me): Promise<void> {
  const from = forgotten;
  try {
    const before = (await disk.get('meta', IDENTITY)) as Kept | undefined;
    const { uid } = me.user;
    // The screens are asking already while this goes on: what they were answered is this person's and stays.
    if (before?.me.user.uid !== uid) await disk.sweep('cache', '', isOf(uid));
    // Signed out while this was being written.
    if (from !== forgotten) return;
    await disk.put('meta', IDENTITY, { at: Date.now(), me } satisfies Kept);
    if (from === forgotten) mirror.remove(GONE);
    else await forgetWho();
  } catch {
    // A device that cannot remember asks for a connection.
  }
}

/** Nobody is signed in any more; what waits to be sent is not touched. */
export async function forgetWho(): Promise<void> {
  forgotten += 1;
  mirror.put(GONE, true);
  // Both begun at once: what is kept for the next person from here on comes after them.
  const nobody = disk.change('meta', [], [IDENTITY]).catch(() => {});
  const nothing = disk.sweep('cache', '').catch(() => {});
  await Promise.all([nobody, nothing]);
}

/** Who was here last, unless that is too long ago or they have left. */
export async function whoWasHere(now = Date.now()): Promise<Me | null> {
  if (mirror.all(GONE).length > 0) return null;
  try {
    const kept = (await disk.get('meta', IDENTITY)) as Kept | undefined;
    return kept && Math.abs(now - kept.at) <= LONGEST_MS ? kept.me : null;
  } catch {
    return null;
  }
}
