// One count as the screen shows it: the server's entries, overlaid with those of this device. A row keeps its identity
// until something about it changes, so that typing renders one row.

import type { Outbox } from '#/offline/outbox';
import type { AsideRecord, OutboxSnapshot, SavedPlace } from '#/offline/writeQueue';
import { isTypedBy } from './countQueue';
import {
  type Area,
  type CountRow,
  EMPTY_ROW,
  follows,
  groupByArea,
  isCounted,
  isLater,
  type LocalEntry,
  type Progress,
  previousCounts,
  type RowState,
  sameEntry,
  sameLocalEntry,
  samePrevious,
  sameProgress,
  sameRow,
} from './rows';
import { Subscribers } from './subscribers';
import type {
  CountEntry,
  CountRecord,
  Entry,
  Expected,
  Item,
  Previous,
  Scope,
  WarmUp,
} from './types';
import { countedAndSent, sessionOf } from './types';

/** A row built from the server's data alone, with that data. */
interface ServerRow {
  entry: Entry | undefined;
  previous: Previous | null;
  expected: number | null;
  row: CountRow;
}

interface RowSource {
  base: CountRow;
  over: LocalEntry | undefined;
}

/** A row shows «Saving…» when the disk takes longer than this. */
const SLOW_MS = 120;

/** Another number this long after the last one is a new count, unless its author says otherwise. */
const CORRECTION_MS = 10 * 60_000;

/** A number that was changed long after it was counted: was it counted again, or was only the number wrong? */
export interface AskedRecount {
  itemId: string;
  name: string;
  from: number;
  to: number;
  /** What was changed, for the answer. */
  before: Pick<CountRow, 'revision' | 'op'>;
  at: string;
}

/** Defers work that can wait beyond the next frame. */
type Defer = (work: () => void) => void;

export class CountModel {
  readonly scope: Scope;
  readonly uid: string;
  readonly #outbox: Outbox<CountRecord>;
  readonly #rows = new Map<string, CountRow>();
  /** What each row was built from last. */
  readonly #rowSources = new Map<string, RowSource>();
  readonly #subscribers = new Subscribers();
  /** Entries the disk has not confirmed yet. */
  readonly #writing = new Map<string, CountEntry>();
  #items: readonly Item[] = [];
  #areas: readonly Area[] = [];
  #entries = new Map<string, Entry>();
  /** Rows of the server's data alone; rebuilt only when that changes. */
  readonly #serverRows = new Map<string, ServerRow>();
  #earlierCounts: readonly Previous[] = [];
  #previous = new Map<string, Previous>();
  #warmEntries: readonly Entry[] = [];
  /** Null until the server has said. */
  #ofDay: readonly Entry[] | null = null;
  #dayBefore: readonly Entry[] = [];
  #expected: Readonly<Record<string, number>> = {};
  /** Those of the warm-up, and those of a day that it does not have. */
  #expectedOf: readonly Expected[] = [];
  #expectedOfDay: readonly Expected[] = [];
  #blind = false;
  #progress: Progress = { counted: 0, of: 0, waiting: 0, held: 0 };
  /** Items whose rows must be recomputed; null for all. */
  #staleRows: Set<string> | null = new Set();
  #isScheduled = false;
  readonly #defer: Defer;
  #asked: AskedRecount | null = null;

  constructor(outbox: Outbox<CountRecord>, scope: Scope, uid: string, later: Defer = atOnce) {
    this.#outbox = outbox;
    this.scope = scope;
    this.uid = uid;
    this.#defer = later;
  }

  readonly subscribe = this.#subscribers.subscribe;

  watch(itemId: string, listener: () => void): () => void {
    return this.#subscribers.subscribeTo(itemId, listener);
  }

  /** Follows the outbox; returns the function that stops it. */
  follow(): () => void {
    this.#recompute();
    return this.#outbox.subscribe(() => this.#markStale(null));
  }

  /** Recomputes a stale row at once, before a user types over it. */
  refresh(itemId: string): void {
    if (this.#isStale(itemId)) this.#recompute();
  }

  row = (itemId: string): CountRow => this.#rows.get(itemId) ?? EMPTY_ROW;
  /** Like `row`, also for an item that is not in the list. */
  peek = (itemId: string): CountRow =>
    this.#buildRow(itemId, this.#localEntries(this.#outbox.snapshot()).get(itemId));
  items = (): readonly Item[] => this.#items;
  areas = (): readonly Area[] => this.#areas;
  progress = (): Progress => this.#progress;
  /** The open question about the last changed number. Without an answer it was counted again. */
  asked = (): AskedRecount | null => this.#asked;

  /** The items to count, and what was counted before. */
  setWarmUp(from: WarmUp): void {
    if (from.items !== this.#items) {
      this.#areas = groupByArea(from.items);
      this.#items = this.#areas.flatMap(({ items }) => items);
    }
    this.#blind = from.settings.blind;
    // A warm-up of an older version has none.
    this.#expectedOf = from.expectedOf ?? [];
    this.#setExpected();
    this.#earlierCounts = from.previous;
    this.#warmEntries = from.entries;
    this.#setPrevious();
    this.#recompute();
  }

  /** What the counts of a day that the warm-up does not have are expected to come to. */
  setExpectedOfDay(expected: readonly Expected[]): void {
    this.#expectedOfDay = expected;
    this.#setExpected();
    this.#recompute();
  }

  /** The counts of the day before one that is not today: the warm-up knows only each item's last one before today. */
  setDayBefore(entries: readonly Entry[]): void {
    this.#dayBefore = entries;
    this.#setPrevious();
    this.#recompute();
  }

  #setExpected(): void {
    const { date, session } = this.scope;
    const own = [...this.#expectedOf, ...this.#expectedOfDay].find(
      (one) => one.date === date && sessionOf(one.session) === session,
    );
    this.#expected = (!this.#blind && own?.items) || {};
  }

  /** The server's entries of this day. */
  setEntries(entries: readonly Entry[]): void {
    const { session } = this.scope;
    const own = entries.filter((entry) => sessionOf(entry.session) === session);
    const known = new Map(own.map((entry) => [entry.itemId, entry]));
    this.#entries = known;
    this.#ofDay = entries;
    this.#setPrevious();
    this.#recompute();
  }

  /** The opening count of a day comes before its closing one. */
  #setPrevious(): void {
    const { date } = this.scope;
    const warm = this.#ofDay
      ? this.#warmEntries.filter((entry) => entry.date !== date)
      : this.#warmEntries;
    const entries = [...(this.#ofDay ?? []), ...this.#dayBefore, ...warm].filter(isCounted);
    this.#previous = this.#blind
      ? new Map()
      : previousCounts([...entries, ...this.#earlierCounts], this.scope);
  }

  /** Saves a count of an item; resolves to where it was saved. */
  async count(
    itemId: string,
    qty: number | null,
    more: { note?: string; photo?: string } = {},
  ): Promise<SavedPlace> {
    const draft = this.#newEntry(itemId, qty, more);
    this.#askAbout(draft);
    this.#writing.set(itemId, { ...draft, op: '', seq: Number.MAX_SAFE_INTEGER });
    // The next item is shown first; «Saving…» appears only when the disk is slow.
    this.#staleRows?.add(itemId);
    const slow = setTimeout(() => this.#markStale(itemId), SLOW_MS);
    try {
      const saved = await this.#outbox.save(1, (deviceId, first) =>
        this.#newRecord(deviceId, [{ ...draft, seq: first, op: `${deviceId}:${first}` }]),
      );
      return saved.place;
    } finally {
      clearTimeout(slow);
      if (this.#writing.get(itemId)?.at === draft.at) this.#writing.delete(itemId);
      this.#markStale(itemId);
    }
  }

  /** Asks whether a changed number was counted again, if the one before is older than a correction. */
  #askAbout({ itemId, qty, at }: Omit<CountEntry, 'op' | 'seq'>): void {
    const row = this.#knownRow(itemId);
    const late = Date.parse(at) - Date.parse(row.countedAt) > CORRECTION_MS;
    const open = this.#asked;
    if (qty !== null && row.qty !== null && qty !== row.qty && late) {
      const name = this.#items.find(({ id }) => id === itemId)?.name ?? '';
      const before = { revision: row.revision, op: this.#opOf(itemId) };
      this.#asked = { itemId, name, from: row.qty, to: qty, before, at };
    } else if (open?.itemId === itemId) this.#asked = null;
    if (this.#asked !== open) this.#subscribers.notify([]);
  }

  /** Answers the open question. Only the number was wrong: it then counts from when the first one was counted. */
  async answerRecount(again: boolean): Promise<void> {
    const asked = this.#asked;
    this.#asked = null;
    this.#subscribers.notify([]);
    if (!asked || again) return;
    const { itemId, to, before, at } = asked;
    // At the same time as the change: it must not overtake a count made elsewhere since.
    const draft = {
      ...this.#newEntry(itemId, to, {}),
      at,
      base: before.revision,
      prev: before.op,
      recount: false,
    };
    await this.#outbox.save(1, (deviceId, first) =>
      this.#newRecord(deviceId, [{ ...draft, seq: first, op: `${deviceId}:${first}` }]),
    );
    this.#markStale(itemId);
  }

  /** The save whose number the row shows. */
  #opOf(itemId: string): string | null {
    const known = this.#entries.get(itemId);
    const over = this.#localEntries(this.#outbox.snapshot()).get(itemId);
    if (!over || isOlder(over, known?.revision)) return known?.op ?? null;
    return over.entry.op || null;
  }

  #knownRow(itemId: string): CountRow {
    return (!this.#isStale(itemId) && this.#rows.get(itemId)) || this.peek(itemId);
  }

  /** Saves several counts, such as pasted ones, as one record. */
  async countMany(values: readonly { itemId: string; qty: number | null }[]): Promise<SavedPlace> {
    const drafts = values.map(({ itemId, qty }) => this.#newEntry(itemId, qty, {}));
    const saved = await this.#outbox.save(drafts.length, (deviceId, first) =>
      this.#newRecord(
        deviceId,
        drafts.map((draft, i) => ({ ...draft, seq: first + i, op: `${deviceId}:${first + i}` })),
      ),
    );
    return saved.place;
  }

  /** For a page that is being closed: saves before it returns. */
  countNow(itemId: string, qty: number | null): void {
    const draft = this.#newEntry(itemId, qty, {});
    this.#outbox.saveNow(1, (deviceId, first) =>
      this.#newRecord(deviceId, [{ ...draft, seq: first, op: `${deviceId}:${first}` }]),
    );
  }

  #newEntry(
    itemId: string,
    qty: number | null,
    { note, photo }: { note?: string; photo?: string },
  ): Omit<CountEntry, 'op' | 'seq'> {
    const row = this.#knownRow(itemId);
    const noteText = note ?? row.note;
    const photoId = photo ?? row.photo;
    return {
      itemId,
      qty,
      at: new Date().toISOString(),
      base: row.revision,
      prev: row.op,
      ...(noteText ? { note: noteText } : {}),
      ...(photoId ? { photo: photoId } : {}),
    };
  }

  #newRecord(deviceId: string, entries: CountEntry[]): CountRecord {
    const { storeId, date, session } = this.scope;
    return { v: 1, uid: this.uid, deviceId, storeId, date, session, entries };
  }

  #isStale(itemId: string): boolean {
    return this.#staleRows === null || this.#staleRows.has(itemId);
  }

  #markStale(itemId: string | null): void {
    if (itemId === null) this.#staleRows = null;
    else this.#staleRows?.add(itemId);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#defer(() => {
      this.#isScheduled = false;
      if (this.#staleRows?.size !== 0) this.#recompute();
    });
  }

  readonly #recompute = (): void => {
    this.#staleRows = new Set();
    const snapshot = this.#outbox.snapshot();
    const over = this.#localEntries(snapshot);
    const changed: string[] = [];
    const progress: Progress = { counted: 0, of: this.#items.length, waiting: 0, held: 0 };
    for (const { id } of this.#items) {
      const row = this.#nextRow(id, over.get(id));
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
    if (moved || changed.length > 0) this.#subscribers.notify(changed);
  };

  /** The same row object while its sources are unchanged. */
  #nextRow(itemId: string, over: LocalEntry | undefined): CountRow {
    const base = this.#serverRow(itemId);
    const last = this.#rowSources.get(itemId);
    const before = this.#rows.get(itemId);
    if (before && last && last.base === base && sameLocalEntry(last.over, over)) return before;
    this.#rowSources.set(itemId, { base, over });
    const row = this.#buildRow(itemId, over);
    return before && sameRow(before, row) ? before : row;
  }

  #serverRow(itemId: string): CountRow {
    const known = this.#entries.get(itemId);
    const previous = this.#previous.get(itemId) ?? null;
    const expected = this.#expected[itemId] ?? null;
    const made = this.#serverRows.get(itemId);
    if (
      made &&
      sameEntry(made.entry, known) &&
      samePrevious(made.previous, previous) &&
      made.expected === expected
    ) {
      return made.row;
    }
    const base: CountRow = {
      ...EMPTY_ROW,
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
            countedAt: known.countedAt ?? known.at,
            late: known.late,
            revision: known.revision,
            others: known.others ?? EMPTY_ROW.others,
          }
        : {}),
    };
    this.#serverRows.set(itemId, { entry: known, previous, expected, row: base });
    return base;
  }

  #buildRow(itemId: string, over: LocalEntry | undefined): CountRow {
    const base = this.#serverRow(itemId);
    if (!over) return base;
    const { entry, state, reason, revision } = over;
    // A newer entry of the server wins over what this device sent before.
    if (isOlder(over, base.revision)) return base;
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
      countedAt: entry.recount === false ? base.countedAt || entry.at : entry.at,
      revision: state === 'sent' ? revision : base.revision,
      op: state === 'sent' ? null : entry.op || null,
    };
  }

  #localEntries(snapshot: OutboxSnapshot<CountRecord>): Map<string, LocalEntry> {
    const over = new Map<string, LocalEntry>();
    const put = (entry: CountEntry, state: RowState, reason = '', revision: number | null = null) =>
      over.set(entry.itemId, { entry, state, reason, revision });
    for (const { record, answer } of snapshot.settled) {
      if (!this.#isOwn(record) || answer.outcome === 'held' || answer.outcome === 'rejected') {
        continue;
      }
      // Another value was chosen; the server's entries show which.
      if (answer.outcome === 'superseded') continue;
      for (const entry of record.entries) put(entry, 'sent', '', answer.revision ?? null);
    }
    const aside: AsideRecord<CountRecord>[] = snapshot.aside.filter(
      ({ record }) => record && this.#isOwn(record),
    );
    for (const { record, kind, reason } of aside.reverse()) {
      for (const entry of record?.entries ?? []) {
        // Counted again since then.
        if (isLater(this.#entries.get(entry.itemId), entry)) continue;
        if (isLater(over.get(entry.itemId)?.entry, entry)) continue;
        put(entry, kind === 'held' ? 'held' : 'rejected', reason);
      }
    }
    const waiting = new Map<string, [CountEntry, RowState][]>();
    for (const { id, record } of snapshot.records) {
      if (!this.#isOwn(record)) continue;
      const state = snapshot.unsaved.has(id) ? 'unsaved' : 'saved';
      for (const entry of record.entries) {
        const known = waiting.get(entry.itemId);
        if (known) known.push([entry, state]);
        else waiting.set(entry.itemId, [[entry, state]]);
      }
    }
    for (const made of waiting.values()) {
      // Records are in the order of the clock, which may have been set back between them.
      const last = made.findLast(([one]) => !made.some(([other]) => follows(other, one)));
      if (last) put(...last);
    }
    for (const entry of this.#writing.values()) put(entry, 'saving');
    return over;
  }

  /** Whether a record belongs to this count and this user; others may have records on the same device. */
  #isOwn(record: CountRecord): boolean {
    const { storeId, date, session } = this.scope;
    const isThis = record.storeId === storeId && record.date === date && record.session === session;
    return isThis && isTypedBy(record, this.uid);
  }
}

function atOnce(work: () => void): void {
  work();
}

/** Whether the server has a newer entry than one that this device sent. */
function isOlder({ state, revision }: LocalEntry, known: number | null | undefined): boolean {
  return state === 'sent' && (known ?? 0) >= (revision ?? 0);
}
