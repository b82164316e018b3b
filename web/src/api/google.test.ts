import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { googleError, onLateGoogleSignIn, signInWithGoogle } from './google';

describe('the result from Google', () => {
  it.each([
    [{ code: 'auth/invalid-credential' }, 'The credentials provided are invalid.'],
    [
      { code: 'larder/company-domain', message: 'Only @a.example Google accounts are allowed.' },
      'Only @a.example Google accounts are allowed.',
    ],
    [{ code: 'larder/company-domain' }, 'Only @larder.example Google accounts are allowed.'],
    [
      { code: 'larder/unverified-address' },
      'Google has not verified this address. Verify it there, then try again.',
    ],
    [
      { code: 'larder/not-managed' },
      'This Google account has an @larder.example address, but it is a personal account that the company does not manage. Sign in with your password, or ask your administrator for a company Google account.',
    ],
    [{ code: 'auth/something-new' }, 'Authentication failed.'],
    [{}, ''],
  ])('%o', (answer, message) => {
    expect(googleError(answer, 'larder.example').message).toBe(message);
  });
});

describe('the popup', () => {
  const popup = { closed: false, focus() {} };
  let said: BroadcastChannel;

  beforeEach(() => {
    popup.closed = false;
    vi.stubGlobal('open', () => popup);
    said = new BroadcastChannel('larder-sign-in');
  });
  afterEach(() => {
    said.close();
    vi.unstubAllGlobals();
  });

  const answer = (outcome: object) => said.postMessage({ type: 'larder:google', ...outcome });

  it('signs in', async () => {
    const outcome = signInWithGoogle();
    said.postMessage({ type: 'something else', ok: false });
    answer({ ok: true });
    expect(await outcome).toEqual({ pending: null });
  });

  it('may ask for the second factor', async () => {
    const outcome = signInWithGoogle();
    answer({ ok: false, mfaPendingCredential: 'p' });
    expect(await outcome).toEqual({ pending: 'p' });
  });

  it('counts as closed once this page has focus again', async () => {
    let here = false;
    vi.spyOn(document, 'hasFocus').mockImplementation(() => here);
    const outcome = signInWithGoogle();
    const closed = vi.fn();
    outcome.catch(closed);
    popup.closed = true;
    await new Promise((done) => setTimeout(done, 1_300));
    // Google's pages may cut the opener relation; the window is still open.
    expect(closed).not.toHaveBeenCalled();
    here = true;
    await expect(outcome).rejects.toThrow('The sign-in popup was closed before completing.');
  });

  it('stays open and comes to the front when a second one is requested', async () => {
    const focus = vi.spyOn(popup, 'focus');
    const first = signInWithGoogle();
    focus.mockClear();
    const second = signInWithGoogle();
    await expect(second).rejects.toThrow('Another sign-in attempt is already in progress.');
    expect(focus).toHaveBeenCalledOnce();
    answer({ ok: true });
    expect(await first).toEqual({ pending: null });
  });

  it('that looks closed is replaced by a second one', async () => {
    const first = signInWithGoogle();
    popup.closed = true;
    vi.stubGlobal('open', () => ({ closed: false, focus() {} }));
    const second = signInWithGoogle();
    await expect(first).rejects.toThrow('Another sign-in attempt is already in progress.');
    answer({ ok: true });
    expect(await second).toEqual({ pending: null });
  });

  it('reports a late sign-in, once', async () => {
    const late = vi.fn();
    const stop = onLateGoogleSignIn(late);
    const outcome = signInWithGoogle();
    answer({ ok: true });
    await outcome;
    expect(late).not.toHaveBeenCalled();
    answer({ ok: false });
    answer({ ok: true });
    await vi.waitFor(() => expect(late).toHaveBeenCalledOnce());
    stop();
  });

  it('that is blocked shows an error if leaving the page would lose input', async () => {
    vi.stubGlobal('open', () => null);
    await expect(signInWithGoogle({ reauthenticate: true })).rejects.toThrow(
      'Your browser blocked the sign-in popup. Allow popups and try again.',
    );
  });
});
