// The user signed in last, for a start without a network. Stored only when the server has just
// confirmed the session, removed at sign-out together with answers cached for others.
import type { Me } from '#/api/session';
import { isKeyOf } from './cache';
import { disk, mirror } from './device';

const IDENTITY = 'identity';
/** Mirror key. Signing out must not wait for the database: while it is set, the stored user does not count. */
const SIGNED_OUT = 'larder:gone';
/** For how long a stored user counts without contact with the server. */
const MAX_AGE_MS = 7 * 24 * 3_600_000;

interface Stored {
  at: number;
  me: Me;
}

let forgotten = 0;

/** Call only with a user the server has just confirmed. */
export async function rememberUser(me: Me): Promise<void> {
  const from = forgotten;
  try {
    const before = (await disk.get('meta', IDENTITY)) as Stored | undefined;
    const { uid } = me.user;
    // Screens already cache answers for this user meanwhile: keep those.
    if (before?.me.user.uid !== uid) await disk.sweep('cache', '', isKeyOf(uid));
    // Signed out while this was being written.
    if (from !== forgotten) return;
    await disk.put('meta', IDENTITY, { at: Date.now(), me } satisfies Stored);
    if (from === forgotten) mirror.remove(SIGNED_OUT);
    else await forgetUser();
  } catch {
    // A device that cannot store the user needs a connection at its next start.
  }
}

/** Removes the stored user and all cached answers; records that wait to be sent are not touched. */
export async function forgetUser(): Promise<void> {
  forgotten += 1;
  mirror.put(SIGNED_OUT, true);
  // Both are queued at once, so that nothing cached for the next user is removed by them.
  const userRemoved = disk.change('meta', [], [IDENTITY]).catch(() => {});
  const cacheCleared = disk.sweep('cache', '').catch(() => {});
  await Promise.all([userRemoved, cacheCleared]);
}

/** The stored user; null after a sign-out or when stored too long ago. */
export async function lastUser(now = Date.now()): Promise<Me | null> {
  if (mirror.all(SIGNED_OUT).length > 0) return null;
  try {
    const kept = (await disk.get('meta', IDENTITY)) as Stored | undefined;
    return kept && Math.abs(now - kept.at) <= MAX_AGE_MS ? kept.me : null;
  } catch {
    return null;
  }
}
