// Another application behind the same address may want to know who is signed in. Where the server names one, it is told
// with an ID token, which is kept nowhere. Failures are silent.
import { request } from './client';

/** A token older than this tells too little about now. */
export const TOKEN_AGE_MS = 5 * 60_000;
/** Signing out waits no longer than this for somebody else. */
const PATIENCE_MS = 2_000;

/** Tells that somebody is signed in (`POST`) or signs out (`DELETE`); nothing where nobody wants to know. */
export async function syncSession(
  method: 'POST' | 'DELETE',
  path: string | undefined | null,
  now: () => number = Date.now,
): Promise<void> {
  if (!path || !isOwn(path)) return;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { idToken } = await request<{ idToken: string }>('POST', '/api/session/token', {
      signal,
    });
    // A device that slept meanwhile holds an old one.
    if (now() - issuedAt(idToken) > TOKEN_AGE_MS) return;
    const headers = { authorization: `Bearer ${idToken}` };
    await fetch(path, { method, headers, credentials: 'same-origin', signal });
  } catch {
    // It is told again with the next start.
  }
}

/** A token goes to the console's own address and nowhere else. */
function isOwn(path: string): boolean {
  return path.startsWith('/') && new URL(path, location.origin).origin === location.origin;
}

/** When a token was issued, in milliseconds; 0 when it does not say. */
function issuedAt(token: string): number {
  const [, body = ''] = token.split('.');
  const claims = JSON.parse(atob(body.replace(/-/g, '+').replace(/_/g, '/'))) as { iat?: number };
  return (claims.iat ?? 0) * 1000;
}
