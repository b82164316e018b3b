// One count as the screen shows it: what the server said, and over it what this device has typed.
// Rows keep their identity while nothing about them changes, so that typing draws one row anew.
import type { Aside, Outbox, Place, Snapshot } from '#/offline/outbox';
import type { CountEntry, CountRecord, Entry, Item, Other, Previous, Scope, WarmUp } from './types';
import { nameOf, sessionOf } from './types';

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

const NOTHING: CountRow = {
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
interface Overlay {
  entry: CountEntry;
  state: RowState;
  reason: string;
  revision: number | null;
}

export class Book {
  readonly scope: Scope;
  readonly uid: string;
  readonly #outbox: Outbox<CountRecord>;
  readonly #rows = new Map<string, CountRow>();
  readonly #listeners = new Set<() => void>();
  /** Typed, and the disk has not answered yet. */
  readonly #writing = new Map<string, CountEntry>();
  #items: readonly Item[] = [];
  #areas: readonly Area[] = [];
  #known = new Map<string, Entry>();
  /** What is shown where this device has typed nothing; made anew only with an answer of the server. */
  readonly #bases = new Map<string, CountRow>();
  #earlier: readonly Previous[] = [];
  #previous = new Map<string, Previous>();
  #expected: Readonly<Record<string, number>> = {};
  #blind = false;
  #progress: Progress = { counted: 0, of: 0, waiting: 0, held: 0 };

  constructor(outbox: Outbox<CountRecord>, scope: Scope, uid: string) {
    this.#outbox = outbox;
    this.scope = scope;
    this.uid = uid;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows what the outbox does, until told to stop. */
  follow(): () => void {
    this.#recount();
    return this.#outbox.subscribe(this.#recount);
  }

  row = (itemId: string): CountRow => this.#rows.get(itemId) ?? NOTHING;
  /** The same for an item that may not be in the list. */
  peek = (itemId: string): CountRow =>
    this.#drawn(itemId, this.#overlays(this.#outbox.snapshot()).get(itemId));
  items = (): readonly Item[] => this.#items;
  areas = (): readonly Area[] => this.#areas;
  progress = (): Progress => this.#progress;

  /** What there is to count, and what was counted before. */
  warm(from: WarmUp): void {
    if (from.items !== this.#items) {
      this.#areas = byArea(from.items);
      this.#items = this.#areas.flatMap(({ items }) => items);
    }
    this.#blind = from.settings.blind;
    this.#expected = (!this.#blind && from.expected) || {};
    this.#earlier = from.previous;
    this.#look(from.entries);
    this.#bases.clear();
    this.#recount();
  }

  /** What the server has of this day. An older answer than what is known does not count. */
  learn(entries: readonly Entry[]): void {
    const { session } = this.scope;
    const own = entries.filter((entry) => sessionOf(entry.session) === session);
    const known = new Map(own.map((entry) => [entry.itemId, entry]));
    this.#known = known;
    this.#look(entries);
    this.#bases.clear();
    this.#recount();
  }

  /** The opening count of a day comes before its closing one. */
  #look(entries: readonly Entry[]): void {
    const today = entries.flatMap(({ date, session, itemId, qty }) =>
      typeof qty === 'number' ? [{ date, session, itemId, qty }] : [],
    );
    this.#previous = this.#blind ? new Map() : lastBefore([...this.#earlier, ...today], this.scope);
  }

  /** Writes down what was typed for an item; the promise tells where it is safe. */
  async count(
    itemId: string,
    qty: number | null,
    more: { note?: string; photo?: string } = {},
  ): Promise<Place> {
    const draft = this.#entry(itemId, qty, more);
    this.#writing.set(itemId, { ...draft, op: '', seq: Number.MAX_SAFE_INTEGER });
    this.#recount();
    try {
      const saved = await this.#outbox.save(1, (deviceId, first) =>
        this.#record(deviceId, [{ ...draft, seq: first, op: `${deviceId}:${first}` }]),
      );
      return saved.place;
    } finally {
      if (this.#writing.get(itemId)?.at === draft.at) this.#writing.delete(itemId);
      this.#recount();
    }
  }

  /** Several at once, pasted from a sheet: one record. */
  async countMany(values: readonly { itemId: string; qty: number | null }[]): Promise<Place> {
    const drafts = values.map(({ itemId, qty }) => this.#entry(itemId, qty, {}));
    const saved = await this.#outbox.save(drafts.length, (deviceId, first) =>
      this.#record(
        deviceId,
        drafts.map((draft, i) => ({ ...draft, seq: first + i, op: `${deviceId}:${first + i}` })),
      ),
    );
    return saved.place;
  }

  /** For a page that is going away: written before this returns. */
  countNow(itemId: string, qty: number | null): void {
    const draft = this.#entry(itemId, qty, {});
    this.#outbox.saveNow(1, (deviceId, first) =>
      this.#record(deviceId, [{ ...draft, seq: first, op: `${deviceId}:${first}` }]),
    );
  }

  #entry(
    itemId: string,
    qty: number | null,
    { note, photo }: { note?: string; photo?: string },
  ): Omit<CountEntry, 'op' | 'seq'> {
    const row = this.#rows.get(itemId) ?? this.peek(itemId);
    const says = note ?? row.note;
    const shows = photo ?? row.photo;
    return {
      itemId,
      qty,
      at: new Date().toISOString(),
      base: row.revision,
      prev: row.op,
      ...(says ? { note: says } : {}),
      ...(shows ? { photo: shows } : {}),
    };
  }

  #record(deviceId: string, entries: CountEntry[]): CountRecord {
    const { storeId, date, session } = this.scope;
    return { v: 1, uid: this.uid, deviceId, storeId, date, session, entries };
  }

  readonly #recount = (): void => {
    const snapshot = this.#outbox.snapshot();
    const over = this.#overlays(snapshot);
    let changed = false;
    const progress: Progress = { counted: 0, of: this.#items.length, waiting: 0, held: 0 };
    for (const { id } of this.#items) {
      const row = this.#drawn(id, over.get(id));
      if (row.counted) progress.counted += 1;
      if (row.state === 'saved' || row.state === 'unsaved' || row.state === 'saving') {
        progress.waiting += 1;
      }
      if (row.state === 'held' || row.state === 'rejected') progress.held += 1;
      const before = this.#rows.get(id);
      if (before === row || (before && same(before, row))) continue;
      this.#rows.set(id, row);
      changed = true;
    }
    if (!sameProgress(this.#progress, progress)) {
      this.#progress = progress;
      changed = true;
    }
    if (changed) for (const listener of this.#listeners) listener();
  };

  #base(itemId: string): CountRow {
    const made = this.#bases.get(itemId);
    if (made) return made;
    const known = this.#known.get(itemId);
    const base: CountRow = {
      ...NOTHING,
      previous: this.#previous.get(itemId) ?? null,
      expected: this.#expected[itemId] ?? null,
      ...(known
        ? {
            qty: known.qty ?? null,
            counted: typeof known.qty === 'number',
            state: typeof known.qty === 'number' ? ('sent' as const) : ('none' as const),
            note: known.note ?? '',
            photo: known.photo ?? '',
            by: nameOf(known.countedBy),
            at: known.at,
            late: known.late,
            revision: known.revision,
            others: known.others ?? NOTHING.others,
          }
        : {}),
    };
    this.#bases.set(itemId, base);
    return base;
  }

  #drawn(itemId: string, over: Overlay | undefined): CountRow {
    const base = this.#base(itemId);
    if (!over) return base;
    const { entry, state, reason, revision } = over;
    // What the server has said since then stands over what this device sent before.
    if (state === 'sent' && (base.revision ?? 0) >= (revision ?? 0)) return base;
    return {
      ...base,
      qty: entry.qty,
      counted: entry.qty !== null,
      state: entry.qty === null && state === 'sent' ? 'none' : state,
      reason,
      note: entry.note ?? '',
      photo: entry.photo ?? '',
      by: '',
      at: entry.at,
      revision: state === 'sent' ? revision : base.revision,
      op: state === 'sent' ? null : entry.op || null,
    };
  }

  #overlays(snapshot: Snapshot<CountRecord>): Map<string, Overlay> {
    const over = new Map<string, Overlay>();
    const put = (entry: CountEntry, state: RowState, reason = '', revision: number | null = null) =>
      over.set(entry.itemId, { entry, state, reason, revision });
    for (const { record, answer } of snapshot.settled) {
      if (!this.#isHere(record) || answer.outcome === 'held' || answer.outcome === 'rejected') {
        continue;
      }
      // Another value stands then, and the server tells which.
      if (answer.outcome === 'superseded') continue;
      for (const entry of record.entries) put(entry, 'sent', '', answer.revision ?? null);
    }
    const aside: Aside<CountRecord>[] = snapshot.aside.filter(
      ({ record }) => record && this.#isHere(record),
    );
    for (const { record, kind, reason } of aside.reverse()) {
      for (const entry of record?.entries ?? []) {
        const known = this.#known.get(entry.itemId);
        // Counted again since, by whomever.
        if (known && known.at > entry.at) continue;
        if ((over.get(entry.itemId)?.entry.at ?? '') > entry.at) continue;
        put(entry, kind === 'held' ? 'held' : 'rejected', reason);
      }
    }
    for (const { id, record } of snapshot.records) {
      if (!this.#isHere(record)) continue;
      const state = snapshot.unsaved.has(id) ? 'unsaved' : 'saved';
      for (const entry of record.entries) put(entry, state);
    }
    for (const entry of this.#writing.values()) put(entry, 'saving');
    return over;
  }

  /** Only what this person typed: what others left on the device is theirs. */
  #isHere({ storeId, date, session, uid }: CountRecord): boolean {
    const here = this.scope;
    return (
      uid === this.uid && storeId === here.storeId && date === here.date && session === here.session
    );
  }
}

const NO_AREA = 'Everything else';

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
function lastBefore(
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

function same(a: CountRow, b: CountRow): boolean {
  for (const key of Object.keys(a) as (keyof CountRow)[]) {
    if (a[key] !== b[key] && !(key === 'others' && sameOthers(a.others, b.others))) return false;
  }
  return true;
}

function sameOthers(a: readonly Other[], b: readonly Other[]): boolean {
  return a.length === b.length && a.every((one, i) => one.op === b[i]?.op && one.qty === b[i]?.qty);
}

function sameProgress(a: Progress, b: Progress): boolean {
  return a.counted === b.counted && a.of === b.of && a.waiting === b.waiting && a.held === b.held;
}
