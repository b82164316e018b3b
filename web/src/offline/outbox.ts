// What was typed and is not at the server yet. Nothing here is ever changed or thrown away: a record
// leaves the device when the server has answered for each of its entries, and not before.
import { Problem } from '#/api/problem';
import type { Disk } from './disk';
import type { Mirror } from './mirror';
import { newDeviceId, uuid7 } from './uuid7';

export type Outcome = 'applied' | 'superseded' | 'duplicate' | 'held' | 'rejected';

/** What the server said about one entry. */
export interface Answer {
  op: string;
  outcome: Outcome;
  heldFor?: string | null;
  reason?: string | null;
  revision?: number | null;
}

/** The kind of thing an outbox sends; the engine knows nothing else about it. */
export interface Lane<R> {
  name: string;
  /** Where the second copies lie. */
  pendingKey: string;
  quarantineKey: string;
  /** The record, or null when it is none. */
  read(value: unknown): R | null;
  ops(record: R): readonly string[];
  /** The record with only these entries. */
  only(record: R, ops: ReadonlySet<string>): R;
  /** Records may travel and be folded together when this is equal. */
  group(record: R): string;
  /** Several records of one group as one, entry by entry the same. */
  join(records: readonly R[]): R;
  /** One answer for each entry, or a `Problem`. */
  send(record: R): Promise<readonly Answer[]>;
}

export interface Kept<R> {
  id: string;
  record: R;
}

/** Refused or unreadable: it stays here, with the reason, until somebody decides. */
export interface Aside<R> {
  id: string;
  lane: string;
  kind: 'held' | 'rejected' | 'unreadable';
  reason: string;
  heldFor?: string | null;
  at: number;
  /** One entry; null when it could not be read. */
  record: R | null;
  raw?: unknown;
}

export interface Settled<R> {
  record: R;
  answer: Answer;
}

export type Place = 'disk' | 'mirror' | 'nowhere';

export interface Saved<R> extends Kept<R> {
  place: Place;
}

export type Stop = 'offline' | 'signIn' | 'refused' | 'busy';

export interface Snapshot<R> {
  /** Both stores were read. */
  ready: boolean;
  records: readonly Kept<R>[];
  /** Ids that neither store took. */
  unsaved: ReadonlySet<string>;
  aside: readonly Aside<R>[];
  /** Answered since this page was opened. */
  settled: readonly Settled<R>[];
  sending: boolean;
  stopped: Stop | null;
  sentAt: number | null;
}

export interface Synced {
  sent: number;
  held: number;
  superseded: number;
}

/** So many entries in one request at most; the server takes 500. */
const MOST = 400;
const EVERY_MS = 30_000;
/** Somebody who types fast is not followed key by key. */
const GATHER_MS = 250;
const REMEMBERED = 2_000;
/** The one lock for whatever rewrites or removes pending records. */
const lockName = (lane: string) => `larder-outbox-${lane}`;

interface Ports {
  disk: Disk;
  mirror: Mirror;
  now?(): number;
  /** Makes room on a full disk, before records are folded together. */
  makeRoom?(): Promise<void>;
}

export class Outbox<R> {
  readonly lane: Lane<R>;
  readonly #ports: Ports;
  readonly #records = new Map<string, R>();
  readonly #unsaved = new Set<string>();
  /** Removed here; what a reading that began earlier still shows of them is old. */
  readonly #gone = new Set<string>();
  readonly #aside = new Map<string, Aside<R>>();
  readonly #settled: Settled<R>[] = [];
  readonly #listeners = new Set<() => void>();
  /** Numbers that are given out without the disk, under a name no other page has. */
  readonly #own = { id: newDeviceId(), seq: 0 };
  readonly #tabs: BroadcastChannel | null;
  #snapshot: Snapshot<R>;
  #ready = false;
  #stopped: Stop | null = null;
  #sentAt: number | null = null;
  #running: Promise<Synced> | null = null;
  #again = false;
  #sending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(lane: Lane<R>, ports: Ports) {
    this.lane = lane;
    this.#ports = ports;
    this.#snapshot = this.#shot();
    this.#tabs =
      'BroadcastChannel' in globalThis ? new BroadcastChannel(`larder-outbox-${lane.name}`) : null;
    this.#tabs?.addEventListener('message', () => void this.#load().then(() => this.#tell()));
    // Under Node an open channel would keep the process alive.
    (this.#tabs as unknown as { unref?(): void } | null)?.unref?.();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): Snapshot<R> => this.#snapshot;

  /** Entries that wait, whoever typed them. */
  get waiting(): number {
    let n = 0;
    for (const record of this.#records.values()) n += this.lane.ops(record).length;
    return n;
  }

  /** Reads what is kept here and begins to send, now and whenever the network may be back. */
  start(): () => void {
    const go = () => void this.flush();
    const looked = () => document.visibilityState === 'visible' && go();
    window.addEventListener('online', go);
    document.addEventListener('visibilitychange', looked);
    const timer = setInterval(go, EVERY_MS);
    void this.open().then(go);
    return () => {
      window.removeEventListener('online', go);
      document.removeEventListener('visibilitychange', looked);
      clearInterval(timer);
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Unites both stores. */
  async open(): Promise<void> {
    await this.#load();
    this.#ready = true;
    this.#tell();
  }

  /**
   * Keeps a new record. It counts as saved once the disk has answered for it; `numbers` entries get
   * the numbers after `first`.
   */
  async save(numbers: number, make: (device: string, first: number) => R): Promise<Saved<R>> {
    const id = uuid7(this.#now());
    let record: R | undefined;
    const write = () =>
      this.#ports.disk.append(numbers, (device) => {
        record = make(device.id, device.seq + 1);
        return [id, { lane: this.lane.name, record }];
      });
    let place: Place = 'disk';
    try {
      await write().catch(async (error: unknown) => {
        if (!isFull(error)) throw error;
        await this.#makeRoom();
        return write();
      });
    } catch {
      record = make(this.#own.id, this.#own.seq + 1);
      this.#own.seq += numbers;
      place = 'nowhere';
    }
    if (record === undefined) throw new Error('a record was written that was never made');
    const mirrored = this.#ports.mirror.put(this.lane.pendingKey + id, record);
    if (place === 'nowhere' && mirrored) place = 'mirror';
    this.#keep(id, record, place);
    return { id, record, place };
  }

  /** For a page that is being closed: the second copy is written before this returns. */
  saveNow(numbers: number, make: (device: string, first: number) => R): Saved<R> {
    const id = uuid7(this.#now());
    const record = make(this.#own.id, this.#own.seq + 1);
    this.#own.seq += numbers;
    const mirrored = this.#ports.mirror.put(this.lane.pendingKey + id, record);
    const place = mirrored ? 'mirror' : 'nowhere';
    void this.#ports.disk.put('pending', id, { lane: this.lane.name, record }).catch(() => {});
    this.#keep(id, record, place);
    return { id, record, place };
  }

  #keep(id: string, record: R, place: Place): void {
    this.#records.set(id, record);
    if (place === 'nowhere') this.#unsaved.add(id);
    this.#changed();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, GATHER_MS);
  }

  /** Sends what waits; one flusher at a time in the whole browser. */
  flush(): Promise<Synced> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    const once = async (): Promise<Synced> => {
      const total: Synced = { sent: 0, held: 0, superseded: 0 };
      do {
        this.#again = false;
        await locked(lockName(this.lane.name), () => this.#run(total));
      } while (this.#again && !this.#stopped);
      return total;
    };
    this.#running = once()
      .catch(() => ({ sent: 0, held: 0, superseded: 0 }))
      .then((total) => {
        this.#running = null;
        this.#sending = false;
        this.#tell();
        if (total.sent + total.held > 0) {
          window.dispatchEvent(new CustomEvent(`${this.lane.name}:synced`, { detail: total }));
        }
        return total;
      });
    return this.#running;
  }

  /** Sends something that was put aside once more; it stays aside until there is an answer. */
  async recheck(id: string): Promise<Answer | null> {
    const item = this.#aside.get(id);
    if (!item?.record) return null;
    const [answer] = await this.lane.send(item.record);
    if (!answer) return null;
    if (answer.outcome === 'held' || answer.outcome === 'rejected') {
      await this.#putAside([{ ...item, ...verdict(answer), at: this.#now() }]);
    } else {
      this.#settle(item.record, answer);
      await this.discard(id);
    }
    this.#changed();
    return answer;
  }

  /** Somebody decided that it is not needed any more. */
  async discard(id: string): Promise<void> {
    await this.#ports.disk.change('aside', [], [id]).catch(() => {});
    this.#ports.mirror.remove(this.lane.quarantineKey + id);
    this.#aside.delete(id);
    this.#changed();
  }

  /** Everything that is only here, to be carried away in a file. */
  everything(): unknown {
    return {
      kind: this.lane.name,
      savedAt: new Date(this.#now()).toISOString(),
      records: [...this.#records].map(([id, record]) => ({ id, record })),
      aside: [...this.#aside.values()],
    };
  }

  #now(): number {
    return this.#ports.now?.() ?? Date.now();
  }

  // --- reading

  async #load(): Promise<void> {
    const { disk, mirror } = this.#ports;
    const { pendingKey, quarantineKey, name } = this.lane;
    const found = new Map<string, unknown>();
    // What is added while this reads is not missing.
    const before = [...this.#records.keys()];
    const asideBefore = [...this.#aside.keys()];
    const foundAside = new Map<string, Aside<R>>();
    let onDisk: ReadonlySet<string> | null = null;
    try {
      const rows = (await disk.all('pending')).filter(([, value]) => lane(value) === name);
      onDisk = new Set(rows.map(([id]) => id));
      for (const [id, value] of rows) found.set(id, (value as { record: unknown }).record);
      for (const [id, value] of await disk.all('aside')) {
        if (lane(value) === name) foundAside.set(id, value as Aside<R>);
      }
    } catch {
      // What cannot be read now is read at the next start.
    }
    const mirrored = mirror.all(pendingKey);
    for (const [key, value] of mirrored) {
      const id = key.slice(pendingKey.length);
      if (!found.has(id)) found.set(id, value);
    }
    for (const [key, value] of mirror.all(quarantineKey)) {
      const id = key.slice(quarantineKey.length);
      if (!foundAside.has(id) && isAside<R>(value)) foundAside.set(id, value);
    }
    for (const [id, item] of foundAside) this.#aside.set(id, item);

    for (const [id, value] of found) {
      if (this.#gone.has(id)) continue;
      const record = this.lane.read(value);
      if (record) {
        this.#records.set(id, record);
        if (onDisk && !onDisk.has(id)) {
          // It was only in the second copy: a crash between two writes, or a full disk.
          await disk.put('pending', id, { lane: name, record }).catch(() => {});
        }
        this.#unsaved.delete(id);
      } else {
        await this.#quarantine(id, value);
      }
    }
    if (onDisk) {
      // Another tab has sent these.
      for (const id of before) {
        if (!found.has(id) && !this.#unsaved.has(id)) this.#records.delete(id);
      }
      for (const id of asideBefore) if (!foundAside.has(id)) this.#aside.delete(id);
    }
  }

  async #quarantine(id: string, raw: unknown): Promise<void> {
    const kept = await this.#putAside([
      {
        id,
        lane: this.lane.name,
        kind: 'unreadable',
        reason: 'This could not be read. Download it and show it to your administrator.',
        at: this.#now(),
        record: null,
        raw,
      },
    ]);
    if (kept) await this.#remove([id]);
  }

  // --- sending

  async #run(total: Synced): Promise<void> {
    await this.#load();
    this.#stopped = null;
    if (this.#records.size === 0) return;
    this.#sending = true;
    this.#tell();
    const answered = new Map<string, Answer>();
    let most = MOST;
    for (;;) {
      const batch = this.#next(answered, most);
      if (!batch) return;
      let answers: readonly Answer[];
      try {
        answers = await this.lane.send(batch);
      } catch (error) {
        const { status, message } = Problem.of(error);
        const size = this.lane.ops(batch).length;
        const tooMuch = status === 413 || status === 400 || status === 422;
        if (!tooMuch) {
          this.#stopped = stopOf(status);
          return;
        }
        if (size > 1) {
          most = Math.ceil(size / 2);
          continue;
        }
        // Even alone it will never be taken, and everything behind it would wait for ever.
        answers = this.lane.ops(batch).map((op) => ({ op, outcome: 'rejected', reason: message }));
      }
      const asked = new Set(this.lane.ops(batch));
      const now = answers.filter(({ op }) => asked.has(op));
      if (now.length === 0) {
        this.#stopped = 'busy';
        return;
      }
      for (const answer of now) answered.set(answer.op, answer);
      most = Math.min(MOST, most * 2);
      this.#sentAt = this.#now();
      await this.#finish(answered, total);
      this.#changed();
    }
  }

  /** The oldest entries that wait for an answer, of one group, as one record. */
  #next(answered: ReadonlyMap<string, Answer>, most: number): R | null {
    const parts: R[] = [];
    let group: string | null = null;
    let room = most;
    for (const id of [...this.#records.keys()].sort()) {
      const record = this.#records.get(id);
      if (record === undefined) continue;
      const open = this.lane.ops(record).filter((op) => !answered.has(op));
      if (open.length === 0) continue;
      group ??= this.lane.group(record);
      if (this.lane.group(record) !== group) continue;
      const taken = open.slice(0, room);
      parts.push(this.lane.only(record, new Set(taken)));
      room -= taken.length;
      if (room === 0) break;
    }
    return parts.length > 0 ? this.lane.join(parts) : null;
  }

  /** Lets go of the records whose every entry has its answer. */
  async #finish(answered: Map<string, Answer>, total: Synced): Promise<void> {
    const done: string[] = [];
    for (const [id, record] of this.#records) {
      const ops = this.lane.ops(record);
      if (!ops.every((op) => answered.has(op))) continue;
      const aside: Aside<R>[] = [];
      for (const op of ops) {
        const answer = answered.get(op);
        if (!answer) continue;
        if (answer.outcome === 'held' || answer.outcome === 'rejected') {
          const own = this.lane.only(record, new Set([op]));
          const told = verdict(answer);
          aside.push({ id: op, lane: this.lane.name, at: this.#now(), record: own, ...told });
        }
      }
      if (aside.length > 0 && !(await this.#putAside(aside))) continue;
      for (const op of ops) {
        const answer = answered.get(op);
        if (!answer) continue;
        this.#settle(this.lane.only(record, new Set([op])), answer);
        if (answer.outcome === 'held') total.held += 1;
        else total.sent += 1;
        if (answer.outcome === 'superseded') total.superseded += 1;
      }
      done.push(id);
    }
    await this.#remove(done);
  }

  #settle(record: R, answer: Answer): void {
    this.#settled.push({ record, answer });
    if (this.#settled.length > REMEMBERED) this.#settled.splice(0, REMEMBERED / 2);
  }

  /** True when it is safe on the device. */
  async #putAside(items: readonly Aside<R>[]): Promise<boolean> {
    const onDisk = await this.#ports.disk
      .change(
        'aside',
        items.map((item) => [item.id, item]),
        [],
      )
      .then(
        () => true,
        () => false,
      );
    let mirrored = true;
    for (const item of items) {
      // The second copy is for what the server does not have.
      const wanted = !onDisk || item.kind !== 'held';
      if (wanted && !this.#ports.mirror.put(this.lane.quarantineKey + item.id, item)) {
        mirrored = false;
      }
    }
    if (!onDisk && !mirrored) return false;
    for (const item of items) this.#aside.set(item.id, item);
    return true;
  }

  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    // A record that stays by a failure is sent again and answered as a duplicate.
    await this.#ports.disk.change('pending', [], ids).catch(() => {});
    for (const id of ids) {
      this.#ports.mirror.remove(this.lane.pendingKey + id);
      this.#records.delete(id);
      this.#unsaved.delete(id);
      this.#gone.add(id);
    }
  }

  // --- room

  /** Frees what can be fetched again, then folds records together: the same entries, fewer covers. */
  async #makeRoom(): Promise<void> {
    await this.#ports.makeRoom?.().catch(() => {});
    // Whoever is sending just now must not find its records under other names.
    const fold = (lock: unknown) => (lock ? this.compact() : Promise.resolve());
    const name = lockName(this.lane.name);
    await (navigator.locks?.request(name, { ifAvailable: true }, fold) ?? this.compact()).catch(
      () => {},
    );
  }

  /** Writes the new before it removes the old. */
  async compact(): Promise<void> {
    const groups = new Map<string, [string, R][]>();
    for (const [id, record] of [...this.#records].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (this.#unsaved.has(id)) continue;
      const group = this.lane.group(record);
      groups.set(group, [...(groups.get(group) ?? []), [id, record]]);
    }
    for (const members of groups.values()) {
      if (members.length < 2) continue;
      const old = members.map(([id]) => id);
      const record = this.lane.join(members.map(([, one]) => one));
      const id = uuid7(this.#now());
      await this.#ports.disk.change('pending', [[id, { lane: this.lane.name, record }]], old);
      this.#ports.mirror.put(this.lane.pendingKey + id, record);
      for (const one of old) {
        this.#ports.mirror.remove(this.lane.pendingKey + one);
        this.#records.delete(one);
        this.#gone.add(one);
      }
      this.#records.set(id, record);
    }
  }

  // --- telling

  #changed(): void {
    this.#tabs?.postMessage('changed');
    this.#tell();
  }

  #tell(): void {
    this.#snapshot = this.#shot();
    for (const listener of this.#listeners) listener();
  }

  #shot(): Snapshot<R> {
    const records = [...this.#records].map(([id, record]) => ({ id, record }));
    return {
      ready: this.#ready,
      records: records.sort((a, b) => (a.id < b.id ? -1 : 1)),
      unsaved: new Set(this.#unsaved),
      aside: [...this.#aside.values()].sort((a, b) => b.at - a.at),
      settled: [...this.#settled],
      sending: this.#sending,
      stopped: this.#stopped,
      sentAt: this.#sentAt,
    };
  }
}

function verdict({ outcome, reason, heldFor }: Answer) {
  return {
    kind: outcome === 'held' ? ('held' as const) : ('rejected' as const),
    reason: reason || (outcome === 'held' ? 'A manager decides about it.' : 'It was not accepted.'),
    heldFor: heldFor ?? null,
  };
}

function stopOf(status: number): Stop {
  if (status === 0) return 'offline';
  if (status === 401) return 'signIn';
  if (status === 403 || status === 423) return 'refused';
  return 'busy';
}

function lane(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { lane?: unknown }).lane
    : undefined;
}

function isAside<R>(value: unknown): value is Aside<R> {
  return typeof value === 'object' && value !== null && 'kind' in value && 'reason' in value;
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

/** Without locks two flushers may run; the server knows every entry by its number all the same. */
async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(name, work) : work();
}
