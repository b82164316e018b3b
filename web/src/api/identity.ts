// The sign-in endpoints, in the form of the Identity Toolkit. Only this file turns their codes into the
// messages of our catalogue.
import { attest } from './device';
import { Problem } from './problem';
import type { components } from './schema.gen';

type Schemas = components['schemas'];

/** A refused sign-in: the code of the catalogue, its message, and what the server added to it. */
export class AuthError extends Error {
  override readonly name = 'AuthError';

  constructor(
    readonly code: string,
    /** The server's explanation, for codes that come with one. */
    readonly explanation = '',
  ) {
    super(authMessage(code));
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
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

const NETWORK_FAILED = 'auth/network-request-failed';

/** The server's codes whose name differs from the catalogue's. */
const CODES: Readonly<Record<string, string>> = {
  EMAIL_NOT_FOUND: 'auth/user-not-found',
  INVALID_PASSWORD: 'auth/wrong-password',
  INVALID_IDP_RESPONSE: 'auth/invalid-credential',
  TOO_MANY_ATTEMPTS_TRY_LATER: 'auth/too-many-requests',
  RESET_PASSWORD_EXCEED_LIMIT: 'auth/too-many-requests',
  FEDERATED_USER_ID_ALREADY_LINKED: 'auth/credential-already-in-use',
  TOKEN_EXPIRED: 'auth/user-token-expired',
  INVALID_OOB_CODE: 'auth/invalid-action-code',
  EXPIRED_OOB_CODE: 'auth/expired-action-code',
  INVALID_CODE: 'auth/invalid-verification-code',
};

/** `CODE : explanation` as the endpoint sends it → the code of the catalogue. */
export function authCode(answer: string): string {
  const code = answer.split(/[ :]/, 1)[0] ?? '';
  return CODES[code] ?? `auth/${code.toLowerCase().replaceAll('_', '-')}`;
}

/** The message to show for a failed sign-in; `otherwise` if the answer had none. */
export function errorText(error: unknown, otherwise: string): string {
  if (typeof error === 'string') return error || otherwise;
  if (error instanceof Problem && !error.worded) {
    return error.code === 'offline' ? authMessage(NETWORK_FAILED) : otherwise;
  }
  return (error instanceof Error && error.message) || otherwise;
}

/** The message to show for a reset email that could not be sent. */
export function resetErrorText(error: unknown): string {
  const isLost = error instanceof AuthError && error.code === NETWORK_FAILED;
  const isOffline = error instanceof Problem && error.code === 'offline';
  return errorText(isLost || isOffline ? undefined : error, 'Failed to send reset email');
}

async function call<T>(path: string, json: unknown, headers: HeadersInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Larder': '1', ...headers },
      body: JSON.stringify(json),
    });
  } catch {
    throw new AuthError(NETWORK_FAILED);
  }
  if (!response.ok) throw await refusal(response);
  // Anything but JSON is not from our server: the network may require its own sign-in, for example.
  return (await response.json().catch(() => {
    throw new Error('');
  })) as T;
}

/** An error without a message where the answer has none. */
async function refusal(response: Response): Promise<Error> {
  const answer = (await response.json().catch(() => null)) as {
    error?: { message?: string };
    detail?: string;
  } | null;
  const message = answer?.error?.message;
  if (message) {
    const explanation = message.includes(' : ') ? message.slice(message.indexOf(' : ') + 3) : '';
    return new AuthError(authCode(message), explanation);
  }
  // A rate limit may answer in plain text.
  if (response.status === 429) return new AuthError('auth/too-many-requests');
  return new Error(answer?.detail ?? '');
}

/** How long a browser stays signed in: hours for a desk, days for a shared counting tablet. */
export type DeviceKind = Schemas['Device'];

/** `pending` is the token for the second factor; null when signed in. */
export type SignInResult = { pending: null } | { pending: string };

export async function signInWithPassword(
  email: string,
  password: string,
  device: DeviceKind = 'office',
): Promise<SignInResult> {
  const token = await attest();
  const answer = await call<Schemas['SignInResponse']>(
    '/v1/accounts:signInWithPassword',
    { email, password, device },
    token ? { 'X-Device-Attestation': token } : {},
  );
  return { pending: answer.mfaPendingCredential ?? null };
}

/** The second step: six digits of the authenticator app, or a recovery code. */
export async function finishSignIn(pending: string, verificationCode: string): Promise<void> {
  await call('/v2/accounts/mfaSignIn:finalize', {
    mfaPendingCredential: pending,
    mfaEnrollmentId: 'totp',
    totpVerificationInfo: { verificationCode },
  });
}

export async function sendPasswordReset(email: string): Promise<void> {
  await call('/v1/accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email });
}

/** The address whose password a link sets; throws for a used or expired link. */
export async function checkResetCode(oobCode: string): Promise<string> {
  const { email } = await call<{ email: string }>('/v1/accounts:resetPassword', { oobCode });
  return email;
}

export async function resetPassword(oobCode: string, newPassword: string): Promise<void> {
  await call('/v1/accounts:resetPassword', { oobCode, newPassword });
}
