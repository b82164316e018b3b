import type { WasteReason } from '#/documents/waste';
import type { Recall } from '#/stock/api';
import { type DocLine, qtyFault, sentLine } from '../DocLines';
import type { BranchRecord } from '../types';

/** Devices hold these: the names must not change. */
export interface WasteForm {
  op: string;
  draftId: string | null;
  lines: DocLine[];
  photos: string[];
  /** The last chosen reason: the next item often has the same. */
  reason: WasteReason | '';
}

export const emptyWaste = (): WasteForm => ({
  op: crypto.randomUUID(),
  draftId: null,
  lines: [],
  photos: [],
  reason: '',
});

/** A line with what is likely left of a recalled lot in the store. */
export const recalledLine = ({ productId, name, lot, qty, uomId, uomCode }: Recall): DocLine => ({
  key: `recalled:${productId}:${lot}`,
  productId,
  name,
  lot,
  units: [{ uomId: uomId ?? null, code: uomCode ?? '' }],
  uomId: uomId ?? null,
  qty: String(qty),
  reason: 'recalled',
});

/** The form with that line first, once. */
export function withLine(form: WasteForm, line: DocLine): WasteForm {
  const known = form.lines.some(({ key }) => key === line.key);
  return known ? form : { ...form, lines: [line, ...form.lines] };
}

export type WasteFault = 'qty' | 'reason' | 'note' | null;

export function wasteFault(line: DocLine): WasteFault {
  if (qtyFault(line)) return 'qty';
  if (!line.reason) return 'reason';
  return line.reason === 'other' && !line.note?.trim() ? 'note' : null;
}

interface Finished {
  uid: string;
  storeId: string;
  form: WasteForm;
  mayPost: boolean;
  at: Date;
}

export function wasteRecord({ uid, storeId, form, mayPost, at }: Finished): BranchRecord {
  const { op, draftId, lines, photos } = form;
  const [first] = lines;
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : '';
  return {
    v: 1,
    op,
    uid,
    storeId,
    kind: 'waste',
    title: `${first?.name ?? 'Waste'}${more}`,
    at: at.toISOString(),
    base: '/api/stores/waste',
    body: {
      storeId,
      // Its business date is that of this time, once the server has corrected it for this device's clock.
      happenedAt: at.toISOString(),
      photos,
      lines: lines.map((line) => ({
        ...sentLine(line),
        reason: line.reason,
        note: line.note?.trim() ?? '',
      })),
    },
    draftId,
    step: mayPost ? 'submit' : null,
    photos,
    lineNames: lines.map(({ name }) => name),
    subject: null,
    form,
  };
}
