// Requests about pictures that were sent without a store.
import { useQuery } from '@tanstack/react-query';
import { filled, request } from '#/api/client';
import type { Body } from '#/api/operations';
import type { components } from '#/api/schema.gen';

type Schemas = components['schemas'];
/** A till with the machine number of a picture, or nearly that one. */
export type NearTill = Schemas['NearTill'];
/** A picture without a store; `reading` while it is being read, `asks` once it waits for its store. */
export type UnsortedPicture = Schemas['UnsortedPicture'];

const BASE = '/api/tools/services/zreading-ocr/pictures';

/** Below the key of readings: what changes those changes these. */
export const KEY = ['sales', 'z-reading', 'unsorted'] as const;

/** Those that wait, asked again while any of them is being read. */
export const useUnsorted = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request('GET', BASE, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ state: at }) => at === 'reading') ? 2_000 : false,
  });

export const placePicture = (id: string, json: Body<'POST', `${typeof BASE}/{id}/place`>) =>
  request('POST', `${BASE}/{id}/place`, { path: { id }, json });

export const discardPicture = (id: string, revision: number) =>
  request('POST', `${BASE}/{id}/discard`, { path: { id }, json: { revision } });

/** The address of its file. */
export const fileOf = (id: string, size: 'full' | 'thumb'): string =>
  `${filled(`${BASE}/{id}/file`, { id })}?size=${size}`;
