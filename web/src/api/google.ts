// Sign-in with Google: the server does it, in a small window of its own; the outcome comes back over
// a channel that only pages of this address can speak on.
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
  /** The account wants its second factor too. */
  mfaPendingCredential?: string;
}

interface Options {
  /** Where to go once signed in, for the way without a popup. */
  returnTo?: string;
  /** Proves again who is here, for somebody who is signed in already. */
  reauthenticate?: boolean;
}

let current: { cancel(error: AuthError): void } | null = null;

function address(mode: 'popup' | 'redirect', { returnTo, reauthenticate }: Options): string {
  const query = new URLSearchParams({ mode });
  if (returnTo) query.set('returnTo', returnTo);
  if (reauthenticate) query.set('reauthenticate', 'true');
  return `/api/session/google/start?${query}`;
}

/** What the way through Google adds to the catalogue, for when only its code comes back. */
function ownWords(code: string, domain: string): string {
  if (code === 'larder/company-domain') return `Only @${domain} Google accounts are allowed.`;
  if (code !== 'larder/unverified-address') return '';
  return 'Google has not verified this address. Verify it there, then try again.';
}

/** A refusal as the catalogue words it; what only the server can say comes in its own words. */
export function googleError(answer: { code?: string; message?: string }, domain = ''): Error {
  const { code = '', message = ownWords(code, domain) } = answer;
  const known = new AuthError(code);
  if (code && (known.message !== 'Authentication failed.' || !message)) return known;
  return new Error(message);
}

/**
 * Opens the popup; must be called right in the click, or browsers block it. Where no popup opens the
 * whole page goes to Google instead, unless that would lose what is on it.
 */
export function signInWithGoogle(options: Options = {}): Promise<{ pending: string | null }> {
  if (!navigator.cookieEnabled || !/^https?:$/.test(location.protocol)) {
    return Promise.reject(new AuthError('auth/operation-not-supported-in-this-environment'));
  }
  current?.cancel(new AuthError('auth/cancelled-popup-request'));
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

function outcome(popup: Window): Promise<{ pending: string | null }> {
  return new Promise((done, fail) => {
    const channel = new BroadcastChannel(CHANNEL);
    let closed = 0;
    const poll = setInterval(() => {
      // Google's pages may cut the tie to their opener, which looks like a closed window; but then
      // the keyboard is still over there and not here.
      closed = popup.closed && document.hasFocus() ? closed + 1 : 0;
      if (closed === 4) settle(() => fail(new AuthError('auth/popup-closed-by-user')));
    }, POLL_MS);

    function settle(how: () => void): void {
      clearInterval(poll);
      channel.close();
      if (current === mine) current = null;
      how();
    }
    const mine = { cancel: (error: AuthError) => settle(() => fail(error)) };
    current = mine;

    channel.onmessage = ({ data }: MessageEvent<GoogleAnswer>) => {
      if (data?.type !== 'larder:google') return;
      if (data.mfaPendingCredential) {
        const pending = data.mfaPendingCredential;
        settle(() => done({ pending }));
      } else if (data.ok) settle(() => done({ pending: null }));
      else settle(() => fail(googleError(data)));
    };
  });
}
