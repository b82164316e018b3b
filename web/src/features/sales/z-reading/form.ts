// The input of a reading's form, and what of it is sent.
import * as numbers from '#/ui/numberInput';
import type { Tender, ZReading } from './api';
import { FIELDS, type Field } from './fields';

/** The fields' texts by name. */
export type Values = Readonly<Record<string, string>>;

const TENDER = 'tender:';
const KIND_LABEL: Readonly<Record<string, string>> = {
  cash: 'Cash',
  card: 'Card',
  eWallet: 'E-wallet',
  voucher: 'Voucher',
  onAccount: 'On account',
};

/** How a reading's figures are parsed: amounts, or counts of pieces. */
export const readsAs = (kind: Field['kind'] | undefined): numbers.NumberKind =>
  kind === 'count' ? 'whole' : 'money';

const kindOf = (name: string) => FIELDS.find((field) => field.name === name)?.kind;

/** A field of a reading as text. */
function textOf(reading: ZReading, { name, kind }: Field): string {
  if (name.startsWith(TENDER)) {
    const own = reading.tenders.filter((tender) => tender.kind === name.slice(TENDER.length));
    if (own.length === 0) return '';
    const sum = own.reduce((all, one) => all + Math.round(one.amount * 100), 0) / 100;
    return numbers.showNumber(sum, 'money');
  }
  const value = reading[name as keyof ZReading];
  if (typeof value === 'number') return numbers.showNumber(value, readsAs(kind));
  return typeof value === 'string' ? value : '';
}

export function valuesOf(reading: ZReading): Values {
  const values: Record<string, string> = {
    terminalId: reading.terminalId,
    notes: reading.notes ?? '',
  };
  for (const field of FIELDS) values[field.name] = textOf(reading, field);
  return values;
}

/** The number of a field; null when empty or invalid. */
export function numberOf(values: Values, name: string): number | null {
  const text = (values[name] ?? '').trim();
  if (text === '') return null;
  if (name === 'firstSi' || name === 'lastSi') {
    const digits = text.replace(/\D/g, '');
    return digits === '' ? null : Number(digits);
  }
  return numbers.numberOf(text, readsAs(kindOf(name)));
}

/** The error of a field. */
export function faultOf(values: Values, { name, kind }: Field): string | null {
  const text = (values[name] ?? '').trim();
  if (text === '' || kind === 'text' || kind === 'digits') return null;
  if (kind === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) ? null : 'Choose a date.';
  const value = numbers.numberOf(text, readsAs(kind));
  if (value === null) return numbers.faultOf(text, readsAs(kind));
  if (kind === 'count' && (!Number.isInteger(value) || value < 0)) return 'Enter a whole number.';
  return null;
}

export const paidOf = (values: Values): number[] =>
  Object.keys(values)
    .filter((name) => name.startsWith(TENDER))
    .map((name) => numberOf(values, name))
    .filter((value) => value !== null);

/** The tenders to send: a kind whose amount was not changed keeps its lines. */
function tendersOf(values: Values, was: Values, known: readonly Tender[]): Tender[] {
  return Object.keys(KIND_LABEL).flatMap((kind) => {
    const name = TENDER + kind;
    if (values[name] === was[name]) return known.filter((tender) => tender.kind === kind);
    const amount = numberOf(values, name);
    return amount === null ? [] : [{ kind, label: KIND_LABEL[kind] ?? kind, amount }];
  });
}

/** The changed fields to send. */
export function changedOf(
  values: Values,
  was: Values,
  tenders: readonly Tender[],
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  let paid = false;
  for (const name of Object.keys(values)) {
    const text = (values[name] ?? '').trim();
    if (text === (was[name] ?? '').trim()) continue;
    if (name.startsWith(TENDER)) {
      paid = true;
      continue;
    }
    const kind = FIELDS.find((field) => field.name === name)?.kind ?? 'text';
    if (kind === 'money' || kind === 'count') changed[name] = numberOf(values, name);
    else changed[name] = text === '' && name !== 'terminalId' ? null : text;
  }
  if (paid) changed.tenders = tendersOf(values, was, tenders);
  return changed;
}
