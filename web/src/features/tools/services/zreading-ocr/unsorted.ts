// Requests about pictures that were sent without a store.
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';

export type UnsortedPicture = components['schemas']['UnsortedPicture'];
export type NearTill = components['schemas']['NearTill'];
type Place = components['schemas']['PlacePicture'];

const BASE = '/api/tools/services/zreading-ocr/pictures';

/** Below the key of readings: what changes those changes these. */
export const KEY = ['sales', 'z-reading', 'unsorted'] as const;

export const unsortedPictures = (signal: AbortSignal) => request('GET', BASE, { signal });

export const placePicture = (id: string, place: Place) =>
  request('POST', `${BASE}/{id}/place`, { path: { id }, json: place });

export const discardPicture = (id: string, revision: number) =>
  request('POST', `${BASE}/{id}/discard`, { path: { id }, json: { revision } });

/** The address of its file. */
export const fileOf = (id: string, size: 'full' | 'thumb'): string =>
  `${BASE}/${encodeURIComponent(id)}/file?size=${size}`;
