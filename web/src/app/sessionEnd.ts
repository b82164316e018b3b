// What is remembered when a session ends, so that its user can go on after signing in again.
import { queries } from '#/api/queries';
import { clearSession, ME, type Me } from '#/api/session';
import { outsideShell } from '#/paths';

export interface SessionEnd {
  uid: string;
  /** The address they were at. */
  address: string;
  /** The history state of that address, which belongs to the router. */
  state: unknown;
  /** The screen had unsaved input: it is kept hidden to go on with. */
  unsaved: boolean;
}

let last: SessionEnd | null = null;
let notice = '';
let signingOut = false;

/** Call when the session ended without a sign-out by its user. */
export function sessionLost(): void {
  const me = queries.getQueryData<Me | null>(ME);
  if (!me) return;
  if (signingOut) {
    clearSession();
    return;
  }
  last = {
    uid: me.user.uid,
    address: location.pathname + location.search + location.hash,
    state: history.state,
    unsaved: hasUnsavedInput(),
  };
  notice = 'You were signed out.';
  history.replaceState(null, '', outsideShell.login);
  if (last.unsaved) queries.setQueryData(ME, null);
  else clearSession();
}

/** Call before a sign-out on purpose: nothing is kept. */
export function beginSignOut(message = ''): void {
  signingOut = true;
  last = null;
  notice = message;
  history.replaceState(null, '', outsideShell.login);
}

export function lastSessionEnd(): SessionEnd | null {
  return last;
}

/** After a sign-in: returns the same user to where they were; clears everything for another one. */
export function resumeSession(uid: string): void {
  if (last?.uid === uid) {
    if (location.pathname === outsideShell.login)
      history.replaceState(last.state, '', last.address);
  } else if (last) {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
  }
  signingOut = false;
  last = null;
  notice = '';
}

/** Drops what was kept for the user's return. */
export function discardSession(): void {
  last = null;
  clearSession();
}

export function signOutNotice(): string {
  return notice;
}

/** Asks the page's own `beforeunload` handlers whether leaving would lose input. */
export function hasUnsavedInput(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
