// How somebody came to be outside, and what is kept for their return.
import { queries } from '#/api/queries';
import { forget, ME, type Me } from '#/api/session';
import { outside } from '#/paths';

export interface Departure {
  uid: string;
  /** Where they were. */
  address: string;
  /** The router's own note about that place. */
  state: unknown;
  /** Something typed there was not saved yet; the screen is kept, out of sight, to go on with. */
  typed: boolean;
}

let last: Departure | null = null;
let notice = '';
let leaving = false;

/** The session ended without its owner asking for it. */
export function lost(): void {
  const me = queries.getQueryData<Me | null>(ME);
  if (!me) return;
  if (leaving) {
    forget();
    return;
  }
  last = {
    uid: me.user.uid,
    address: location.pathname + location.search + location.hash,
    state: history.state,
    typed: wouldLose(),
  };
  notice = 'You were signed out.';
  history.replaceState(null, '', outside.login);
  if (last.typed) queries.setQueryData(ME, null);
  else forget();
}

/** Leaving on purpose ends at the sign-in page and keeps nothing. */
export function leave(saying = ''): void {
  leaving = true;
  last = null;
  notice = saying;
  history.replaceState(null, '', outside.login);
}

export function departure(): Departure | null {
  return last;
}

/** Back again; the same person goes on where they were, another finds nothing of theirs. */
export function arrive(uid: string): void {
  if (last?.uid === uid) {
    if (location.pathname === outside.login) history.replaceState(last.state, '', last.address);
  } else if (last) {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
  }
  leaving = false;
  last = null;
  notice = '';
}

/** What was kept is given up. */
export function giveUp(): void {
  last = null;
  forget();
}

export function farewell(): string {
  return notice;
}

/** The question browsers ask before a page is left, asked of the page itself. */
export function wouldLose(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
