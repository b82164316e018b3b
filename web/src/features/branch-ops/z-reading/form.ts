import type { BranchRecord } from '../types';

/** Devices hold these: the names must not change. */
export interface ZReadingForm {
  op: string;
  draftId: string | null;
  /** The business date. */
  date: string;
  /** Empty: the machine number on the picture decides. */
  terminalId: string;
  photos: string[];
}

export const emptyReading = (date: string) => (): ZReadingForm => ({
  op: crypto.randomUUID(),
  draftId: null,
  date,
  terminalId: '',
  photos: [],
});

interface Finished {
  uid: string;
  storeId: string;
  form: ZReadingForm;
  at: Date;
  /** The date as text. */
  words: string;
}

export function readingRecord({ uid, storeId, form, at, words }: Finished): BranchRecord {
  const { op, draftId, date, terminalId, photos } = form;
  const till = terminalId.trim();
  return {
    v: 1,
    op,
    uid,
    storeId,
    kind: 'zReading',
    title: [words, till && `till ${till}`].filter(Boolean).join(', '),
    at: at.toISOString(),
    base: '/api/sales/z-reading',
    body: { storeId, businessDate: date, terminalId: till },
    draftId,
    step: null,
    photos,
    photoBase: '/api/sales/z-reading/photos',
    lineNames: [],
    subject: null,
    form,
  };
}
