// Sign-in with Google, which the server does in a popup; the result comes back over
// a BroadcastChannel, which only pages of this origin can use.
import { AuthError } from './identity';

const CHANNEL = 'larder-sign-in';
const WIDTH = 500;
const HEIGHT = 600;
const POLL_MS = 250;

export interface GoogleAnswer {
  type: 'larder:google';
  ok: boolean;
  code?: string;
  message?: string;
  /** The account also needs its second factor. */
  mfaPendingCredential?: string;
}

interface Options {
  /** Where to go once signed in, when no popup can be opened. */
  returnTo?: string;
  /** Re-authenticates a signed-in user. */
  reauthenticate?: boolean;
}

let current: { popup: Window; cancel(error: AuthError): void } | null = null;

function address(mode: 'popup' | 'redirect', { returnTo, reauthenticate }: Options): string {
  const query = new URLSearchParams({ mode });
  if (returnTo) query.set('returnTo', returnTo);
  if (reauthenticate) query.set('reauthenticate', 'true');
  return `/api/session/google/start?${query}`;
}

/** Messages for Google's own error codes, for when only the code comes back. */
function ownWords(code: string, domain: string): string {
  if (code === 'larder/company-domain') return `Only @${domain} Google accounts are allowed.`;
  if (code === 'larder/not-managed') {
    return `This Google account has an @${domain} address, but it is a personal account that the company does not manage. Sign in with your password, or ask your administrator for a company Google account.`;
  }
  if (code !== 'larder/unverified-address') return '';
  return 'Google has not verified this address. Verify it there, then try again.';
}

/** The error with the catalogue's message, or the server's if the catalogue has none. */
export function googleError(answer: { code?: string; message?: string }, domain = ''): Error {
  const { code = '', message = ownWords(code, domain) } = answer;
  const known = new AuthError(code);
  if (code && (known.message !== 'Authentication failed.' || !message)) return known;
  return new Error(message);
}

export interface GoogleSignIn {
  /** The token for the second factor; null when signed in. */
  pending: string | null;
}

/**
 * Opens the popup; call it directly in the click handler, or browsers block it. Without a popup the
 * whole page goes to Google, unless that would lose input. While a popup is open, another call brings
 * that one to the front and is refused: a second sign-in would end the first with an error.
 */
export function signInWithGoogle(options: Options = {}): Promise<GoogleSignIn> {
  if (!navigator.cookieEnabled || !/^https?:$/.test(location.protocol)) {
    return Promise.reject(new AuthError('auth/operation-not-supported-in-this-environment'));
  }
  const cancelled = new AuthError('auth/cancelled-popup-request');
  if (current && !current.popup.closed) {
    current.popup.focus();
    return Promise.reject(cancelled);
  }
  current?.cancel(cancelled);
  const popup = 'BroadcastChannel' in window ? openPopup(address('popup', options)) : null;
  if (!popup) {
    if (options.reauthenticate) return Promise.reject(new AuthError('auth/popup-blocked'));
    location.assign(address('redirect', options));
    return new Promise(() => {});
  }
  return outcome(popup);
}

function openPopup(url: string): Window | null {
  const left = Math.max(0, window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - HEIGHT) / 2);
  const features = `popup,width=${WIDTH},height=${HEIGHT},left=${Math.round(left)},top=${Math.round(top)}`;
  const popup = window.open(url, CHANNEL, features);
  popup?.focus();
  return popup && !popup.closed ? popup : null;
}

function outcome(popup: Window): Promise<GoogleSignIn> {
  return new Promise((done, fail) => {
    const channel = new BroadcastChannel(CHANNEL);
    let closed = 0;
    const poll = setInterval(() => {
      // Google's pages may cut the opener relation, which looks like a closed window; but then
      // this page does not have focus.
      closed = popup.closed && document.hasFocus() ? closed + 1 : 0;
      if (closed === 4) settle(() => fail(new AuthError('auth/popup-closed-by-user')));
    }, POLL_MS);

    function settle(how: () => void): void {
      clearInterval(poll);
      channel.close();
      if (current === mine) current = null;
      how();
    }
    const mine = { popup, cancel: (error: AuthError) => settle(() => fail(error)) };
    current = mine;

    channel.onmessage = ({ data }: MessageEvent<GoogleAnswer>) => {
      if (data?.type !== 'larder:google') return;
      const pending = data.mfaPendingCredential ?? null;
      settle(() => (data.ok || pending ? done({ pending }) : fail(googleError(data))));
    };
  });
}

/**
 * Calls back when a popup signs in that nothing waits for any more: one that looked closed, or
 * whose attempt was replaced. Subscribe before signing in. Returns the function that unsubscribes.
 */
export function onLateGoogleSignIn(listener: () => void): () => void {
  if (!('BroadcastChannel' in window)) return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<GoogleAnswer>) => {
    if (data?.type === 'larder:google' && data.ok && !current) listener();
  };
  return () => channel.close();
}
