// The user's own account: password, second factor, sessions.
import { useQuery } from '@tanstack/react-query';
import { request } from './client';
import { queries } from './queries';
import type { components } from './schema.gen';
import { ME } from './session';

type Schemas = components['schemas'];

export type Session = Schemas['MySession'];
export type TotpStart = Schemas['TotpSecret'];

const SESSIONS = ['own-sessions'] as const;

export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => request('GET', '/api/me/sessions', { signal }),
  });
}

async function refreshed<T>(change: Promise<T>, key: readonly string[]): Promise<T> {
  const answer = await change;
  await queries.invalidateQueries({ queryKey: key });
  return answer;
}

export const endSession = (id: string) =>
  refreshed(request('DELETE', '/api/me/sessions/{id}', { path: { id } }), SESSIONS);

export const endOtherSessions = () =>
  refreshed(request('POST', '/api/me/sessions/end-others'), SESSIONS);

export const mailOwnReset = () => request('POST', '/api/me/password-reset');

export const changePassword = (currentPassword: string, newPassword: string) =>
  refreshed(request('PUT', '/api/me/password', { json: { currentPassword, newPassword } }), ME);

export const startTotp = () => request('POST', '/api/me/totp');

/** Does not refetch the session: the recovery codes must be shown first. */
export const confirmTotp = (code: string) =>
  request('POST', '/api/me/totp/confirm', { json: { code } });

export const stopTotp = () => refreshed(request('DELETE', '/api/me/totp'), ME);

export const refreshMe = () => queries.invalidateQueries({ queryKey: ME });

export const reauthenticate = (proof: Partial<Schemas['ReauthenticateRequest']>) =>
  request('POST', '/api/session/reauthenticate', { json: proof });
