// A second file of store-days that are already there: what each choice leads to.
import { rounded } from './questions';
import type { ExistingDay, OnExisting } from './types';

export interface Totals {
  qty: number;
  net: number;
}

interface Words {
  label: string;
  text: string;
  /** The button that posts. */
  verb: string;
}

export const WORDS: Readonly<Record<OnExisting, Words>> = {
  add: {
    label: 'Add',
    text: 'What is there stays; the file is added to it.',
    verb: 'Add and post',
  },
  replaceReceipts: {
    label: 'Replace these receipts',
    text: 'Receipts of the same till and number give way; all others stay.',
    verb: 'Replace receipts and post',
  },
  replaceTills: {
    label: 'Replace these tills',
    text: 'All receipts of the tills in the file give way; other tills stay.',
    verb: 'Replace tills and post',
  },
  replaceDays: {
    label: 'Replace the day',
    text: 'Everything there gives way to the file.',
    verb: 'Replace and post',
  },
};

const ORDER: readonly OnExisting[] = ['add', 'replaceReceipts', 'replaceTills', 'replaceDays'];

/** The choices that all of the days have; without any, those that some have. */
export function choicesOf(days: readonly ExistingDay[]): OnExisting[] {
  const has = (day: ExistingDay, id: OnExisting) => day.choices.some((one) => one.id === id);
  const all = ORDER.filter((id) => days.every((day) => has(day, id)));
  return all.length > 0 ? all : ORDER.filter((id) => days.some((day) => has(day, id)));
}

/** What is there now, of all of the days. */
export const totalBefore = (days: readonly ExistingDay[]): Totals =>
  sum(days.map(({ there }) => there));

/** All of the days afterwards. */
export const totalAfter = (days: readonly ExistingDay[], chosen: OnExisting): Totals =>
  sum(days.flatMap(({ choices }) => choices.filter(({ id }) => id === chosen)));

function sum(parts: readonly Totals[]): Totals {
  return {
    qty: rounded(
      parts.reduce((all, { qty }) => all + qty, 0),
      1e6,
    ),
    net: rounded(
      parts.reduce((all, { net }) => all + net, 0),
      100,
    ),
  };
}
