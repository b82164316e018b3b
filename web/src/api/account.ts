// One's own account: its password, its second factor, where it is signed in.
import { useQuery } from '@tanstack/react-query';
import { request } from './client';
import { queries } from './queries';
import { ME } from './session';

export interface Session {
  id: string;
  kind: string;
  provider: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  userAgent: string;
  origin: string;
  current: boolean;
}

export interface TotpStart {
  secret: string;
  uri: string;
  qrSvg: string;
}

const SESSIONS = ['own-sessions'] as const;

export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) =>
      request<{ items: Session[]; total: number }>('GET', '/api/me/sessions', { signal }),
  });
}

async function refreshed<T>(change: Promise<T>, key: readonly string[]): Promise<T> {
  const answer = await change;
  await queries.invalidateQueries({ queryKey: key });
  return answer;
}

export const endSession = (id: string) =>
  refreshed(request<void>('DELETE', `/api/me/sessions/${encodeURIComponent(id)}`), SESSIONS);

export const endOtherSessions = () =>
  refreshed(request<{ ended: number }>('POST', '/api/me/sessions/end-others'), SESSIONS);

export const mailOwnReset = () => request<{ email: string }>('POST', '/api/me/password-reset');

export const changePassword = (currentPassword: string, newPassword: string) =>
  refreshed(
    request<void>('PUT', '/api/me/password', { json: { currentPassword, newPassword } }),
    ME,
  );

export const startTotp = () => request<TotpStart>('POST', '/api/me/totp');

/** Does not ask who is here again: the recovery codes have to be seen first. */
export const confirmTotp = (code: string) =>
  request<{ recoveryCodes: string[] }>('POST', '/api/me/totp/confirm', { json: { code } });

export const stopTotp = () => refreshed(request<void>('DELETE', '/api/me/totp'), ME);

export const refreshMe = () => queries.invalidateQueries({ queryKey: ME });

export const reauthenticate = (proof: { password?: string; code?: string }) =>
  request<void>('POST', '/api/session/reauthenticate', { json: proof });
