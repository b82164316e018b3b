import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { request } from './client';
import { Problem } from './problem';
import { queries } from './queries';
import type { components } from './schema.gen';

export type Me = components['schemas']['Me'];

const KEY = ['me'];

/** Who is signed in; null when nobody is. */
export function useSession() {
  return useQuery({
    queryKey: KEY,
    queryFn: async (): Promise<Me | null> => {
      try {
        return await request<Me>('GET', '/api/me');
      } catch (error) {
        if (error instanceof Problem && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

export const MeContext = createContext<Me | null>(null);

/** The signed-in user; only for what is shown to signed-in users. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe needs a signed-in user');
  return me;
}

/** A super admin may do everything; others what their role says. The server decides in the end. */
export function can(me: Me, permission: string | undefined, action = 'view'): boolean {
  if (!permission || me.user.superAdmin) return true;
  const [category = '', page = ''] = permission.split('/');
  const pages = (me.permissions as Record<string, Record<string, Record<string, boolean>>>)[
    category
  ];
  return pages?.[page]?.[action] === true;
}

export function useCan(permission: string | undefined, action = 'view'): boolean {
  return can(useMe(), permission, action);
}

export async function signIn(email: string, password: string): Promise<void> {
  await identity('/v1/accounts:signInWithPassword', { email, password });
  // That nobody was signed in a moment ago is fresh, and wrong.
  await queries.fetchQuery({
    queryKey: KEY,
    queryFn: () => request<Me>('GET', '/api/me'),
    staleTime: 0,
  });
}

export async function signOut(): Promise<void> {
  try {
    await request('POST', '/api/session/sign-out');
  } catch (error) {
    // Already signed out, or out of reach: the screen is cleared either way.
    if (!(error instanceof Problem)) throw error;
  }
  forget();
}

/** Clears everything that belonged to the user who was signed in. */
export function forget(): void {
  queries.setQueryData(KEY, null);
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== KEY[0] });
}

export async function sendPasswordReset(email: string): Promise<void> {
  await identity('/v1/accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email });
}

/** The sign-in endpoints speak the Identity Toolkit's error form, not problem+json. */
async function identity(path: string, json: unknown): Promise<void> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Larder': '1' },
      body: JSON.stringify(json),
    });
  } catch {
    throw new AuthError('auth/network-request-failed');
  }
  if (response.ok) return;
  const answer = (await response.json().catch(() => null)) as {
    error?: { message?: string };
    detail?: string;
  } | null;
  const said = answer?.error?.message;
  if (said) throw new AuthError(authCode(said));
  if (response.status >= 500) throw new AuthError('auth/internal-error');
  throw new Error(answer?.detail ?? '');
}

export class AuthError extends Error {
  constructor(readonly code: string) {
    super(authMessage(code));
  }
}

const CODES: Record<string, string> = {
  INVALID_EMAIL: 'auth/invalid-email',
  MISSING_EMAIL: 'auth/missing-email',
  MISSING_PASSWORD: 'auth/missing-password',
  EMAIL_NOT_FOUND: 'auth/user-not-found',
  USER_NOT_FOUND: 'auth/user-not-found',
  INVALID_PASSWORD: 'auth/wrong-password',
  INVALID_LOGIN_CREDENTIALS: 'auth/invalid-login-credentials',
  INVALID_IDP_RESPONSE: 'auth/invalid-credential',
  USER_DISABLED: 'auth/user-disabled',
  TOO_MANY_ATTEMPTS_TRY_LATER: 'auth/too-many-requests',
  RESET_PASSWORD_EXCEED_LIMIT: 'auth/too-many-requests',
  FEDERATED_USER_ID_ALREADY_LINKED: 'auth/credential-already-in-use',
  INTERNAL_ERROR: 'auth/internal-error',
};

/** `CODE : explanation` as the endpoint sends it → the code of our error catalogue. */
export function authCode(message: string): string {
  const code = message.split(/[ :]/, 1)[0] ?? '';
  return CODES[code] ?? `auth/${code.toLowerCase().replaceAll('_', '-')}`;
}

const MESSAGES: Record<string, string> = {
  'auth/invalid-email': 'Enter a valid email address.',
  'auth/missing-email': 'Enter your email address.',
  'auth/missing-password': 'Enter your password.',
  'auth/invalid-credential': 'The credentials provided are invalid.',
  'auth/invalid-login-credentials': 'Incorrect email or password.',
  'auth/user-disabled': 'This account has been disabled. Contact your administrator.',
  'auth/user-not-found': 'No account exists with that email. Check the address and try again.',
  'auth/wrong-password': 'Incorrect password. Please try again.',
  'auth/too-many-requests': 'Too many attempts. Please wait and try again later.',
  'auth/network-request-failed': 'Network error. Check your connection and try again.',
  'auth/internal-error': 'Something went wrong. Please try again.',
  'auth/popup-closed-by-user': 'The sign-in popup was closed before completing.',
  'auth/cancelled-popup-request': 'Another sign-in attempt is already in progress.',
  'auth/popup-blocked': 'Your browser blocked the sign-in popup. Allow popups and try again.',
  'auth/operation-not-supported-in-this-environment':
    "Sign-in isn't supported in this environment. Try a different browser.",
  'auth/account-exists-with-different-credential':
    'An account already exists with this email using a different sign-in method.',
  'auth/credential-already-in-use': 'This credential is already linked to another account.',
};

export function authMessage(code: string): string {
  return MESSAGES[code] ?? 'Authentication failed.';
}
