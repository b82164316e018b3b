// Another application behind the same address may need to know who is signed in. If the server
// names one, the console sends it an ID token, which is not stored. Failures are silent.
import { request } from './client';

/** An older token does not prove that the user is still signed in. */
export const TOKEN_AGE_MS = 5 * 60_000;
/** Signing out waits at most this long for the other application. */
const PATIENCE_MS = 2_000;

/** Reports a sign-in (`POST`) or sign-out (`DELETE`); does nothing without an address. */
export async function syncSession(
  method: 'POST' | 'DELETE',
  path: string | undefined | null,
  now: () => number = Date.now,
): Promise<void> {
  if (!path || !isOwn(path)) return;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { idToken } = await request('POST', '/api/session/token', { signal });
    // A device that slept meanwhile may hold an expired token.
    if (now() - issuedAt(idToken) > TOKEN_AGE_MS) return;
    const headers = { authorization: `Bearer ${idToken}` };
    await fetch(path, { method, headers, credentials: 'same-origin', signal });
  } catch {
    // Reported again with the next start.
  }
}

/** Tokens are sent only to the console's own origin. */
function isOwn(path: string): boolean {
  return path.startsWith('/') && new URL(path, location.origin).origin === location.origin;
}

/** When a token was issued, in milliseconds; 0 if unknown. */
function issuedAt(token: string): number {
  const [, body = ''] = token.split('.');
  const claims = JSON.parse(atob(body.replace(/-/g, '+').replace(/_/g, '/'))) as { iat?: number };
  return (claims.iat ?? 0) * 1000;
}
