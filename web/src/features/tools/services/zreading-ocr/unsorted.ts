// Requests about pictures that were sent without a store.
import { requestAt } from '#/api/client';

/** A till with the machine number of a picture, or nearly that one. */
export interface NearTill {
  storeId: string;
  storeName: string;
  terminalId: string;
  min: string;
}

/** A picture without a store. */
export interface UnsortedPicture {
  id: string;
  fileName: string;
  /** `reading` while it is being read, `asks` once it waits for its store. */
  state: string;
  min: string | null;
  businessDate: string | null;
  net: number | null;
  advice: string | null;
  near: NearTill[];
  revision: number;
}

interface Place {
  storeId: string;
  terminalId?: string;
  revision: number;
}

const BASE = '/api/tools/services/zreading-ocr/pictures';

/** Below the key of readings: what changes those changes these. */
export const KEY = ['sales', 'z-reading', 'unsorted'] as const;

export const unsortedPictures = (signal: AbortSignal) =>
  requestAt<{ items: UnsortedPicture[] }>('GET', BASE, { signal });

const at = (id: string, step: string) => `${BASE}/${encodeURIComponent(id)}/${step}`;

export const placePicture = (id: string, place: Place) =>
  requestAt<{ readingId: string }>('POST', at(id, 'place'), { json: place });

export const discardPicture = (id: string, revision: number) =>
  requestAt<void>('POST', at(id, 'discard'), { json: { revision } });

/** The address of its file. */
export const fileOf = (id: string, size: 'full' | 'thumb'): string =>
  `${at(id, 'file')}?size=${size}`;
