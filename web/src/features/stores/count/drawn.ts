// What a count is drawn from, and when that is the same as before.
import type { CountEntry, Entry, Item, Other, Previous, Scope } from './types';

export type RowState = 'none' | 'unsaved' | 'saving' | 'saved' | 'sent' | 'held' | 'rejected';

export interface CountRow {
  qty: number | null;
  counted: boolean;
  state: RowState;
  /** Why it is held. */
  reason: string;
  note: string;
  photo: string;
  by: string;
  at: string;
  late: boolean;
  revision: number | null;
  op: string | null;
  others: readonly Other[];
  previous: Previous | null;
  expected: number | null;
}

export const NOTHING: CountRow = {
  qty: null,
  counted: false,
  state: 'none',
  reason: '',
  note: '',
  photo: '',
  by: '',
  at: '',
  late: false,
  revision: null,
  op: null,
  others: [],
  previous: null,
  expected: null,
};

export interface Area {
  name: string;
  items: readonly Item[];
}

export interface Progress {
  counted: number;
  of: number;
  waiting: number;
  held: number;
}

/** What is typed over a row, newest last. */
export interface Overlay {
  entry: CountEntry;
  state: RowState;
  reason: string;
  revision: number | null;
}

export function isCounted(entry: Entry): entry is Entry & { qty: number } {
  return typeof entry.qty === 'number';
}

export const NO_AREA = 'Everything else';

/** The way through the store: areas in the order of their first items, items as they are sorted. */
export function byArea(items: readonly Item[]): Area[] {
  const sorted = [...items].sort(
    (a, b) => (a.sortOrder ?? 1e9) - (b.sortOrder ?? 1e9) || a.name.localeCompare(b.name),
  );
  const areas = new Map<string, Item[]>();
  for (const item of sorted) {
    const name = item.storageArea?.trim() || NO_AREA;
    areas.set(name, [...(areas.get(name) ?? []), item]);
  }
  const rest = areas.get(NO_AREA);
  if (rest && areas.size > 1) {
    areas.delete(NO_AREA);
    areas.set(NO_AREA, rest);
  }
  return [...areas].map(([name, members]) => ({ name, items: members }));
}

/** For each item the count before this one: closing comes after opening. */
export function lastBefore(
  previous: readonly Previous[],
  { date, session }: Scope,
): Map<string, Previous> {
  const rank = (day: string, of: string | null | undefined) => `${day} ${of === 'opening' ? 0 : 1}`;
  const now = rank(date, session);
  const last = new Map<string, Previous>();
  for (const one of previous) {
    const key = rank(one.date, one.session);
    if (key >= now) continue;
    const known = last.get(one.itemId);
    if (!known || rank(known.date, known.session) < key) last.set(one.itemId, one);
  }
  return last;
}

export function same(a: CountRow, b: CountRow): boolean {
  for (const key of Object.keys(a) as (keyof CountRow)[]) {
    if (a[key] !== b[key] && !(key === 'others' && sameOthers(a.others, b.others))) return false;
  }
  return true;
}

export function sameOverlay(a: Overlay | undefined, b: Overlay | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  return (
    a.entry === b.entry && a.state === b.state && a.reason === b.reason && a.revision === b.revision
  );
}

export function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  // A save sets everything else, and its revision tells it apart.
  return a.revision === b.revision && a.op === b.op && sameOthers(a.others ?? [], b.others ?? []);
}

export function samePrevious(a: Previous | null, b: Previous | null): boolean {
  return a === b || (a?.qty === b?.qty && a?.date === b?.date && a?.session === b?.session);
}

export function sameOthers(a: readonly Other[], b: readonly Other[]): boolean {
  return a.length === b.length && a.every((one, i) => one.op === b[i]?.op && one.qty === b[i]?.qty);
}

export function sameProgress(a: Progress, b: Progress): boolean {
  return a.counted === b.counted && a.of === b.of && a.waiting === b.waiting && a.held === b.held;
}
