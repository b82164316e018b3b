import { type DocLine, sentLine } from '../DocLines';
import type { BranchRecord } from '../types';

/** Devices hold these: the names must not change. */
export interface TransferForm {
  op: string;
  draftId: string | null;
  toStoreId: string;
  lines: DocLine[];
}

export const emptyTransfer = (): TransferForm => ({
  op: crypto.randomUUID(),
  draftId: null,
  toStoreId: '',
  lines: [],
});

interface Finished {
  uid: string;
  storeId: string;
  toName: string;
  form: TransferForm;
  mayPost: boolean;
  at: Date;
}

export function transferRecord(finished: Finished): BranchRecord {
  const { uid, storeId, toName, form, mayPost, at } = finished;
  const { op, draftId, toStoreId, lines } = form;
  return {
    v: 1,
    op,
    uid,
    storeId,
    kind: 'transfer',
    title: `To ${toName}, ${lines.length === 1 ? '1 item' : `${lines.length} items`}`,
    at: at.toISOString(),
    base: '/api/stores/transfers',
    body: { fromStoreId: storeId, toStoreId, lines: lines.map(sentLine) },
    draftId,
    ...(mayPost
      ? { step: 'dispatch', stepBody: { happenedAt: at.toISOString() } }
      : { step: null }),
    photos: [],
    lineNames: lines.map(({ name }) => name),
    subject: null,
    form,
  };
}
