// Requests made before sign-in.
import { useQuery } from '@tanstack/react-query';
import { request } from './client';
import type { components } from './schema.gen';

type Schemas = components['schemas'];

export function useWelcome() {
  return useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => request('GET', '/api/sign-in', { signal }),
    staleTime: 5 * 60_000,
  });
}

export type Application = Schemas['ApplyBody'];

export const apply = (application: Application) =>
  request('POST', '/api/apply', { json: application });

export const makeFirstAdmin = (admin: Schemas['FirstStartBody']) =>
  request('POST', '/api/first-start', { json: admin });
