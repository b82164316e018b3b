// What a page needs to know before anybody is signed in, and what it may send.
import { useQuery } from '@tanstack/react-query';
import { request } from './client';

export interface Welcome {
  google: boolean;
  companyDomain: string;
  companyName: string;
  appLabel: string;
  firstStart: boolean;
  passwordMinimum: number;
}

export function useWelcome() {
  return useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => request<Welcome>('GET', '/api/sign-in', { signal }),
    staleTime: 5 * 60_000,
  });
}

export interface Application {
  name: string;
  email: string;
  mobile: string;
  position: string;
  store: string;
  reason: string;
}

export const apply = (application: Application) =>
  request<{ message: string }>('POST', '/api/apply', { json: application });

export interface FirstAdmin {
  token: string;
  name: string;
  email: string;
  password: string;
}

export const makeFirstAdmin = (admin: FirstAdmin) =>
  request<void>('POST', '/api/first-start', { json: admin });
