// The rows of a count as the screen shows them, and when one equals its former self.
import type { CountEntry, Entry, Item, Other, Previous, Scope } from './types';

export type RowState = 'none' | 'unsaved' | 'saving' | 'saved' | 'sent' | 'held' | 'rejected';

export interface CountRow {
  qty: number | null;
  counted: boolean;
  state: RowState;
  /** Why it is held or rejected. */
  reason: string;
  note: string;
  photo: string;
  by: string;
  at: string;
  /** When the number was counted, as far as this device knows. */
  countedAt: string;
  late: boolean;
  revision: number | null;
  op: string | null;
  others: readonly Other[];
  previous: Previous | null;
  expected: number | null;
}

export const EMPTY_ROW: CountRow = {
  qty: null,
  counted: false,
  state: 'none',
  reason: '',
  note: '',
  photo: '',
  by: '',
  at: '',
  countedAt: '',
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

/** An entry of this device, shown over what the server has. */
export interface LocalEntry {
  entry: CountEntry;
  state: RowState;
  reason: string;
  revision: number | null;
}

type Made = Pick<CountEntry, 'at' | 'op'> & Partial<Pick<CountEntry, 'prev'>>;

const deviceOf = ({ op }: Made) => op.slice(0, op.lastIndexOf(':'));
const numberOf = ({ op }: Made) => Number(op.slice(op.lastIndexOf(':') + 1));

/** Whether `a` was surely counted after `b`: with a later number of its device, or over `b`. */
export function follows(a: Made, b: Made): boolean {
  return a.prev === b.op || (deviceOf(a) === deviceOf(b) && numberOf(a) > numberOf(b));
}

/** Whether `a` was counted after `b`, as far as their devices' clocks can tell. */
export function isLater(a: Made | undefined, b: Made): boolean {
  if (!a || follows(b, a)) return false;
  return follows(a, b) || a.at > b.at;
}

export function isCounted(entry: Entry): entry is Entry & { qty: number } {
  return typeof entry.qty === 'number';
}

export const NO_AREA = 'Everything else';

/** Areas in the order of their first items, in each the marked ones first; items without an area come last. */
export function groupByArea(items: readonly Item[]): Area[] {
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
  const first = ({ marked }: Item) => (marked ? 0 : 1);
  return [...areas].map(([name, members]) => ({
    name,
    items: members.toSorted((a, b) => first(a) - first(b)),
  }));
}

/** For each item the latest count before this one; opening comes before closing. */
export function previousCounts(
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

export function sameRow(a: CountRow, b: CountRow): boolean {
  for (const key of Object.keys(a) as (keyof CountRow)[]) {
    if (a[key] !== b[key] && !(key === 'others' && sameOthers(a.others, b.others))) return false;
  }
  return true;
}

export function sameLocalEntry(a: LocalEntry | undefined, b: LocalEntry | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  return (
    a.entry === b.entry && a.state === b.state && a.reason === b.reason && a.revision === b.revision
  );
}

export function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  // Every save changes the revision, so the other fields need no comparison.
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
