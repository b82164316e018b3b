// One count as the screen shows it: what the server said, and over it what this device has typed.
// Rows keep their identity while nothing about them changes, so that typing draws one row anew.

import type { Aside, Place, Snapshot } from '#/offline/lane';
import type { Outbox } from '#/offline/outbox';
import {
  type Area,
  byArea,
  type CountRow,
  isCounted,
  lastBefore,
  NOTHING,
  type Overlay,
  type Progress,
  type RowState,
  same,
  sameEntry,
  sameOverlay,
  samePrevious,
  sameProgress,
} from './drawn';
import { Hearers } from './hearers';
import { isOf } from './lane';
import type { CountEntry, CountRecord, Entry, Item, Previous, Scope, WarmUp } from './types';
import { countedAndSent, sessionOf } from './types';

/** A row as the server knows it, and what it was made of. */
interface Base {
  known: Entry | undefined;
  previous: Previous | null;
  expected: number | null;
  row: CountRow;
}

interface Drawn {
  base: CountRow;
  over: Overlay | undefined;
}

/** A disk that takes longer is seen to take its time. */
const SLOW_MS = 120;

/** Puts off what need not be in the next frame. */
type Later = (work: () => void) => void;

export class Book {
  readonly scope: Scope;
  readonly uid: string;
  readonly #outbox: Outbox<CountRecord>;
  readonly #rows = new Map<string, CountRow>();
  /** What each row was drawn from last. */
  readonly #drawnFrom = new Map<string, Drawn>();
  readonly #hearers = new Hearers();
  /** Typed, and the disk has not answered yet. */
  readonly #writing = new Map<string, CountEntry>();
  #items: readonly Item[] = [];
  #areas: readonly Area[] = [];
  #known = new Map<string, Entry>();
  /** What is shown where this device has typed nothing; made anew only when the server says otherwise. */
  readonly #bases = new Map<string, Base>();
  #earlier: readonly Previous[] = [];
  #previous = new Map<string, Previous>();
  #expected: Readonly<Record<string, number>> = {};
  #blind = false;
  #progress: Progress = { counted: 0, of: 0, waiting: 0, held: 0 };
  /** Whose rows are not what they should be yet; null for any. */
  #owed: Set<string> | null = new Set();
  #isDue = false;
  readonly #later: Later;

  constructor(outbox: Outbox<CountRecord>, scope: Scope, uid: string, later: Later = now) {
    this.#outbox = outbox;
    this.scope = scope;
    this.uid = uid;
    this.#later = later;
  }

  /** Hears whatever changes. */
  readonly subscribe = this.#hearers.all;

  /** Hears what changes about one item. */
  watch(itemId: string, hear: () => void): () => void {
    return this.#hearers.of(itemId, hear);
  }

  /** Follows what the outbox does, until told to stop. */
  follow(): () => void {
    this.#recount();
    return this.#outbox.subscribe(() => this.#owe(null));
  }

  /** Somebody is about to type over this row: it must be what it should be. */
  fresh(itemId: string): void {
    if (this.#isOwed(itemId)) this.#recount();
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
    this.#recount();
  }

  /** What the server has of this day. An older answer than what is known does not count. */
  learn(entries: readonly Entry[]): void {
    const { session } = this.scope;
    const own = entries.filter((entry) => sessionOf(entry.session) === session);
    const known = new Map(own.map((entry) => [entry.itemId, entry]));
    this.#known = known;
    this.#look(entries);
    this.#recount();
  }

  /** The opening count of a day comes before its closing one. */
  #look(entries: readonly Entry[]): void {
    const today = entries.filter(isCounted);
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
    // Whoever goes on to the next item sees that first; a disk that answers soon is waited for.
    this.#owed?.add(itemId);
    const slow = setTimeout(() => this.#owe(itemId), SLOW_MS);
    try {
      const saved = await this.#outbox.save(1, (deviceId, first) =>
        this.#record(deviceId, [{ ...draft, seq: first, op: `${deviceId}:${first}` }]),
      );
      return saved.place;
    } finally {
      clearTimeout(slow);
      if (this.#writing.get(itemId)?.at === draft.at) this.#writing.delete(itemId);
      this.#owe(itemId);
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
    const row = (!this.#isOwed(itemId) && this.#rows.get(itemId)) || this.peek(itemId);
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

  #isOwed(itemId: string): boolean {
    return this.#owed === null || this.#owed.has(itemId);
  }

  #owe(itemId: string | null): void {
    if (itemId === null) this.#owed = null;
    else this.#owed?.add(itemId);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#later(() => {
      this.#isDue = false;
      if (this.#owed?.size !== 0) this.#recount();
    });
  }

  readonly #recount = (): void => {
    this.#owed = new Set();
    const snapshot = this.#outbox.snapshot();
    const over = this.#overlays(snapshot);
    const changed: string[] = [];
    const progress: Progress = { counted: 0, of: this.#items.length, waiting: 0, held: 0 };
    for (const { id } of this.#items) {
      const row = this.#row(id, over.get(id));
      if (row.counted) progress.counted += 1;
      if (row.state === 'saved' || row.state === 'unsaved' || row.state === 'saving') {
        progress.waiting += 1;
      }
      if (row.state === 'held' || row.state === 'rejected') progress.held += 1;
      if (this.#rows.get(id) === row) continue;
      this.#rows.set(id, row);
      changed.push(id);
    }
    const moved = !sameProgress(this.#progress, progress);
    if (moved) this.#progress = progress;
    if (moved || changed.length > 0) this.#hearers.tell(changed);
  };

  /** The row as it was, while what it is drawn from is the same. */
  #row(itemId: string, over: Overlay | undefined): CountRow {
    const base = this.#base(itemId);
    const last = this.#drawnFrom.get(itemId);
    const before = this.#rows.get(itemId);
    if (before && last && last.base === base && sameOverlay(last.over, over)) return before;
    this.#drawnFrom.set(itemId, { base, over });
    const row = this.#drawn(itemId, over);
    return before && same(before, row) ? before : row;
  }

  #base(itemId: string): CountRow {
    const known = this.#known.get(itemId);
    const previous = this.#previous.get(itemId) ?? null;
    const expected = this.#expected[itemId] ?? null;
    const made = this.#bases.get(itemId);
    if (
      made &&
      sameEntry(made.known, known) &&
      samePrevious(made.previous, previous) &&
      made.expected === expected
    ) {
      return made.row;
    }
    const base: CountRow = {
      ...NOTHING,
      previous,
      expected,
      ...(known
        ? {
            qty: known.qty ?? null,
            counted: typeof known.qty === 'number',
            state: typeof known.qty === 'number' ? ('sent' as const) : ('none' as const),
            note: known.note ?? '',
            photo: known.photo ?? '',
            by: countedAndSent(known),
            at: known.at,
            late: known.late,
            revision: known.revision,
            others: known.others ?? NOTHING.others,
          }
        : {}),
    };
    this.#bases.set(itemId, { known, previous, expected, row: base });
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
  #isHere(record: CountRecord): boolean {
    const { storeId, date, session } = this.scope;
    const isThis = record.storeId === storeId && record.date === date && record.session === session;
    return isThis && isOf(record, this.uid);
  }
}

function now(work: () => void): void {
  work();
}
