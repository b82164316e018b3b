// What was typed and is not at the server yet. Nothing here is ever changed or thrown away: a record
// leaves the device when the server has answered for each of its entries, and not before.
import { Problem } from '#/api/problem';
import { reach } from '#/api/reach';
import { isBusy } from './calm';
import type { Disk } from './disk';
import type { Answer, Lane, Place, Saved, Settled, Snapshot, Stop, Synced } from './lane';
import type { Mirror } from './mirror';
import { Shelves } from './shelves';
import { newDeviceId, uuid7 } from './uuid7';

/** So many entries in one request at most; the server takes 500. */
const MOST = 400;
const EVERY_MS = 30_000;
/** What is saved within this goes out together. */
const GATHER_MS = 250;
/**
 * Somebody who goes on typing is waited for: after the first with the next save, since then they look at what comes
 * next, and the answer does not get between two keys; after the second all the same.
 */
const GATHER_MOST_MS = 2_000;
const GATHER_LATEST_MS = 5_000;
/** From a save to its sending: the page has shown what comes next by then. */
const SHOWN_MS = 50;
/** After a try that failed, a new record is no reason to try again at once. */
const REST_MS = 10_000;
const REMEMBERED = 2_000;
/** An answer that comes sooner is not worth the word that it is waited for. */
const SLOW_MS = 400;
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
  readonly #shelves: Shelves<R>;
  readonly #settled: Settled<R>[] = [];
  readonly #listeners = new Set<() => void>();
  /** Numbers that are given out without the disk, under a name no other page has. */
  readonly #own = { id: newDeviceId(), seq: 0 };
  readonly #tabs: BroadcastChannel | null;
  #snapshot: Snapshot<R> | null = null;
  #ready = false;
  #stopped: Stop | null = null;
  #sentAt: number | null = null;
  #triedAt = 0;
  /** Since when something waits that was not tried yet, by the page's own clock. */
  #owedSince: number | null = null;
  #running: Promise<Synced> | null = null;
  #again = false;
  /** Something has been under way to the server for a while. */
  #sending = false;
  #slow: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #untold: ReturnType<typeof setTimeout> | undefined;

  constructor(lane: Lane<R>, ports: Ports) {
    this.lane = lane;
    this.#ports = ports;
    const { disk, mirror } = ports;
    this.#shelves = new Shelves(lane, { disk, mirror, now: () => this.#now() });
    this.#tabs =
      'BroadcastChannel' in globalThis ? new BroadcastChannel(`larder-outbox-${lane.name}`) : null;
    this.#tabs?.addEventListener(
      'message',
      () => void this.#shelves.load().then(() => this.#tell()),
    );
    // Under Node an open channel would keep the process alive.
    (this.#tabs as unknown as { unref?(): void } | null)?.unref?.();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): Snapshot<R> => {
    this.#snapshot ??= this.#shot();
    return this.#snapshot;
  };

  /** Entries that wait, whoever typed them. */
  get waiting(): number {
    let n = 0;
    for (const record of this.#shelves.records.values()) n += this.lane.ops(record).length;
    return n;
  }

  /** Whether something like this waits here or in another tab, as of now: what is shown may lag behind. */
  async holds(like: (record: R) => boolean): Promise<boolean> {
    await this.#shelves.load();
    for (const record of this.#shelves.records.values()) if (like(record)) return true;
    return false;
  }

  /** Reads what is kept here and begins to send, now and whenever the network may be back. */
  start(): () => void {
    const go = () => void this.flush();
    const looked = () => document.visibilityState === 'visible' && go();
    window.addEventListener('online', go);
    document.addEventListener('visibilitychange', looked);
    const deaf = reach.onFound(go);
    const timer = setInterval(go, EVERY_MS);
    void this.open().then(go);
    return () => {
      window.removeEventListener('online', go);
      document.removeEventListener('visibilitychange', looked);
      deaf();
      clearInterval(timer);
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Unites both stores. */
  async open(): Promise<void> {
    await this.#shelves.load();
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
    this.#shelves.records.set(id, record);
    if (place === 'nowhere') this.#shelves.unsaved.add(id);
    this.#changed();
    this.#sendSoon();
  }

  /**
   * Sends what was typed just now, unless that is hopeless: without a network the `online` event and
   * the timer of `start` send it, and the timer does so whatever the browser thinks about its network.
   */
  #sendSoon(): void {
    if (globalThis.navigator?.onLine === false) return;
    this.#owedSince ??= performance.now();
    if (this.#owed() >= GATHER_MOST_MS && this.#rest() <= 0) this.#sendIn(SHOWN_MS, true);
    else if (this.#timer === undefined) this.#sendIn(GATHER_MS);
  }

  /** Sends after so long: when nobody types, or `evenIf` somebody does. */
  #sendIn(ms: number, evenIf = false): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        if (evenIf || !isBusy() || this.#owed() >= GATHER_LATEST_MS) void this.flush();
        else this.#sendIn(GATHER_MS);
      },
      Math.max(ms, this.#rest()),
    );
  }

  #owed(): number {
    return performance.now() - (this.#owedSince ?? performance.now());
  }

  /** How much longer nothing is tried after a try that failed. */
  #rest(): number {
    return this.#stopped ? Math.min(this.#triedAt + REST_MS - this.#now(), REST_MS) : 0;
  }

  /** Sends what waits; one flusher at a time in the whole browser. */
  flush(): Promise<Synced> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#owedSince = null;
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
        clearTimeout(this.#slow);
        this.#slow = undefined;
        this.#running = null;
        const told = this.#sending || this.#stopped !== null;
        this.#sending = false;
        if (told) this.#tell();
        else this.#tellInRest();
        if (total.sent + total.held > 0) {
          window.dispatchEvent(new CustomEvent(`${this.lane.name}:synced`, { detail: total }));
        }
        return total;
      });
    return this.#running;
  }

  /** Sends something that was put aside once more; it stays aside until there is an answer. */
  async recheck(id: string): Promise<Answer | null> {
    const item = this.#shelves.aside.get(id);
    if (!item?.record) return null;
    const [answer] = await this.lane.send(item.record);
    if (!answer) return null;
    if (answer.outcome === 'held' || answer.outcome === 'rejected') {
      await this.#shelves.putAside([{ ...this.#shelves.refused(item.record, answer), id }]);
    } else {
      this.#settle(item.record, answer);
      await this.discard(id);
    }
    this.#changed();
    return answer;
  }

  /** Somebody decided that it is not needed any more. */
  async discard(id: string): Promise<void> {
    await this.#shelves.discard(id);
    this.#changed();
  }

  /** Everything that is only here, to be carried away in a file. */
  everything(): unknown {
    return {
      kind: this.lane.name,
      savedAt: new Date(this.#now()).toISOString(),
      records: this.#shelves.sorted(),
      aside: [...this.#shelves.aside.values()],
    };
  }

  #now(): number {
    return this.#ports.now?.() ?? Date.now();
  }

  // --- sending

  async #run(total: Synced): Promise<void> {
    await this.#shelves.load();
    this.#stopped = null;
    if (this.#shelves.records.size === 0) return;
    this.#triedAt = this.#now();
    this.#slow ??= setTimeout(() => {
      this.#sending = true;
      this.#tell();
    }, SLOW_MS);
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
      this.#tabs?.postMessage('changed');
      this.#tellInRest();
    }
  }

  /** The oldest entries that wait for an answer, of one group, as one record. */
  #next(answered: ReadonlyMap<string, Answer>, most: number): R | null {
    const parts: R[] = [];
    let group: string | null = null;
    let room = most;
    for (const { record } of this.#shelves.sorted()) {
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
    for (const [id, record] of this.#shelves.records) {
      const answers = this.lane.ops(record).map((op) => answered.get(op));
      if (!answers.every((answer) => answer !== undefined)) continue;
      const own = (op: string) => this.lane.only(record, new Set([op]));
      const refused = answers.filter(({ outcome }) => outcome === 'held' || outcome === 'rejected');
      const aside = refused.map((answer) => this.#shelves.refused(own(answer.op), answer));
      if (aside.length > 0 && !(await this.#shelves.putAside(aside))) continue;
      for (const answer of answers) {
        this.#settle(own(answer.op), answer);
        if (answer.outcome === 'held') total.held += 1;
        else total.sent += 1;
        if (answer.outcome === 'superseded') total.superseded += 1;
      }
      done.push(id);
    }
    await this.#shelves.remove(done);
  }

  #settle(record: R, answer: Answer): void {
    this.#settled.push({ record, answer });
    if (this.#settled.length > REMEMBERED) this.#settled.splice(0, REMEMBERED / 2);
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

  compact(): Promise<void> {
    return this.#shelves.compact();
  }

  // --- telling

  #changed(): void {
    this.#tabs?.postMessage('changed');
    this.#tell();
  }

  /** Tells what the server answered: whoever types sees it with their next save, or when they rest. */
  #tellInRest(): void {
    if (!isBusy()) this.#tell();
    else
      this.#untold ??= setTimeout(() => {
        this.#untold = undefined;
        this.#tellInRest();
      }, GATHER_MS);
  }

  #tell(): void {
    clearTimeout(this.#untold);
    this.#untold = undefined;
    // Made when somebody looks: several things may happen before that.
    this.#snapshot = null;
    for (const listener of this.#listeners) listener();
  }

  #shot(): Snapshot<R> {
    const { unsaved, aside } = this.#shelves;
    return {
      ready: this.#ready,
      records: this.#shelves.sorted(),
      unsaved: new Set(unsaved),
      aside: [...aside.values()].sort((a, b) => b.at - a.at),
      settled: [...this.#settled],
      sending: this.#sending,
      stopped: this.#stopped,
      sentAt: this.#sentAt,
    };
  }
}

function stopOf(status: number): Stop {
  if (status === 0) return 'offline';
  if (status === 401) return 'signIn';
  if (status === 403 || status === 423) return 'refused';
  return 'busy';
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

/** Without locks two flushers may run; the server knows every entry by its number all the same. */
async function locked<T>(name: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(name, work) : work();
}
