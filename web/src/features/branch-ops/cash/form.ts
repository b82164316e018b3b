import { DENOMINATIONS, piecesFault, piecesOf, sumOf, WHOLE_PIECES } from '#/documents/cash';
import { isDay } from '#/ui/dates';
import { money } from '#/ui/format';
import { numberOf } from '#/ui/numberInput';
import type { BranchRecord } from '../types';

/** A form: a drawer declaration, or a deposit slip. Devices hold these: the names must not change. */
export interface CashForm {
  op: string;
  draftId: string | null;
  date: string;
  pieces: Record<string, string>;
  tenders: Record<string, string>;
  notes: string;
  photos: string[];
}

export interface DepositForm {
  op: string;
  draftId: string | null;
  date: string;
  depositedOn: string;
  bank: string;
  reference: string;
  amount: string;
  photos: string[];
  /** Whether it is a second payment that looks like another one; older devices omit it. */
  another?: boolean;
}

export const emptyCash = (date: string): CashForm => ({
  op: crypto.randomUUID(),
  draftId: null,
  date,
  pieces: {},
  tenders: {},
  notes: '',
  photos: [],
});

export const emptyDeposit = (date: string): DepositForm => ({
  op: crypto.randomUUID(),
  draftId: null,
  date,
  depositedOn: date,
  bank: '',
  reference: '',
  amount: '',
  photos: [],
});

/** A typed amount; null if invalid. */
export function amountOf(typed: string): number | null {
  const value = numberOf(typed, 'money');
  return value === null || value < 0 || Math.abs(value * 100 - Math.round(value * 100)) > 1e-6
    ? null
    : value;
}

/** The error in a drawer count, or null. */
export function cashFault({ pieces, tenders }: CashForm): string | null {
  if (DENOMINATIONS.some((piece) => piecesFault(pieces[piece] ?? ''))) return WHOLE_PIECES;
  const typed = Object.values(tenders).filter((text) => text.trim() !== '');
  if (typed.some((text) => amountOf(text) === null)) return 'Enter amounts with at most centavos.';
  const counted = Object.values(pieces).some((text) => text.trim() !== '');
  return counted || typed.length > 0 ? null : 'Count the drawer first.';
}

/** The error in a deposit, or null. */
export function depositFault({ depositedOn, bank, amount }: DepositForm): string | null {
  if (!isDay(depositedOn)) return 'Enter the day it was paid in.';
  if (!amountOf(amount)) return 'Enter the amount on the slip.';
  return bank.trim() === '' ? 'Say which bank.' : null;
}

interface Finished {
  uid: string;
  storeId: string;
  at: Date;
}

const BASE = '/api/sales/tender-report';

export function cashRecord(form: CashForm, { uid, storeId, at }: Finished): BranchRecord {
  return {
    v: 1,
    op: form.op,
    uid,
    storeId,
    kind: 'cash',
    title: `Cash ${money(sumOf(form.pieces))}`,
    at: at.toISOString(),
    base: `${BASE}/declarations`,
    body: {
      storeId,
      businessDate: form.date,
      pieces: DENOMINATIONS.filter((piece) => (form.pieces[piece] ?? '').trim() !== '').map(
        (piece) => ({ denomination: piece, pieces: piecesOf(form.pieces[piece] ?? '') }),
      ),
      tenders: Object.entries(form.tenders)
        .filter(([, typed]) => typed.trim() !== '')
        .map(([kind, typed]) => ({ kind, amount: amountOf(typed) ?? 0 })),
      notes: form.notes,
      photos: form.photos,
      countedAt: at.toISOString(),
    },
    draftId: null,
    step: null,
    photos: form.photos,
    lineNames: [],
    subject: null,
    form,
  };
}

export function depositRecord(form: DepositForm, { uid, storeId, at }: Finished): BranchRecord {
  return {
    v: 1,
    op: form.op,
    uid,
    storeId,
    kind: 'deposit',
    title: `Deposit ${money(amountOf(form.amount))}`,
    at: at.toISOString(),
    base: `${BASE}/deposits`,
    body: {
      storeId,
      depositedOn: form.depositedOn,
      bank: form.bank,
      reference: form.reference,
      photos: form.photos,
      days: [{ businessDate: form.date, amount: amountOf(form.amount) ?? 0 }],
      acceptDuplicate: form.another ?? false,
    },
    draftId: null,
    step: null,
    photos: form.photos,
    lineNames: [],
    subject: null,
    form,
  };
}
