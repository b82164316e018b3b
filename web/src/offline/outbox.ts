// Records not yet at the server. Nothing here is ever changed or dropped: a record leaves the
// device only when the server has answered for each of its entries.
import { Problem } from '#/api/problem';
import { reachability } from '#/api/reachability';
import type { Disk } from './disk';
import { isUserTyping } from './idle';
import type { Mirror } from './mirror';
import { RecordStore } from './recordStore';
import { newDeviceId, uuid7 } from './uuid7';
import type {
  Answer,
  AnsweredRecord,
  FlushResult,
  OutboxSnapshot,
  SavedPlace,
  SavedRecord,
  StopReason,
  WriteQueue,
} from './writeQueue';

/** Entries in one request at most; the server accepts 500. */
const MAX_ENTRIES = 400;
const FLUSH_EVERY_MS = 30_000;
/** Records saved within this time are sent together. */
const GATHER_MS = 250;
/**
 * Sending waits for a pause in typing: after the first limit it goes out right after the next save,
 * when the answer cannot come between two key presses; after the second limit in any case.
 */
const GATHER_MAX_MS = 2_000;
const GATHER_LATEST_MS = 5_000;
/** Delay from a save to its sending, so that the page shows the next item first. */
const AFTER_PAINT_MS = 50;
/** After a failed try, new records wait this long instead of trying again at once. */
const RETRY_AFTER_MS = 10_000;
const MAX_ANSWERED = 2_000;
/** «Sending» is shown only when an answer takes longer than this. */
const SHOW_SENDING_AFTER_MS = 400;
/** The lock for everything that rewrites or removes pending records. */
const lockName = (queue: string) => `larder-outbox-${queue}`;

interface Ports {
  disk: Disk;
  mirror: Mirror;
  now?(): number;
  /** Frees room on a full disk; tried before records are compacted. */
  makeRoom?(): Promise<void>;
}

export class Outbox<R> {
  readonly queue: WriteQueue<R>;
  readonly #ports: Ports;
  readonly #store: RecordStore<R>;
  readonly #settled: AnsweredRecord<R>[] = [];
  readonly #listeners = new Set<() => void>();
  /** A device id and sequence of this page's own, for saves that cannot reach the disk. */
  readonly #fallbackDevice = { id: newDeviceId(), seq: 0 };
  readonly #channel: BroadcastChannel | null;
  #snapshot: OutboxSnapshot<R> | null = null;
  #ready = false;
  #stopped: StopReason | null = null;
  #sentAt: number | null = null;
  #triedAt = 0;
  /** When the oldest record not tried yet was saved, by `performance.now()`. */
  #waitingSince: number | null = null;
  #running: Promise<FlushResult> | null = null;
  #flushAgain = false;
  /** A request has been under way for `SHOW_SENDING_AFTER_MS`. */
  #sending = false;
  #slowTimer: ReturnType<typeof setTimeout> | undefined;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #notifyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(queue: WriteQueue<R>, ports: Ports) {
    this.queue = queue;
    this.#ports = ports;
    const { disk, mirror } = ports;
    this.#store = new RecordStore(queue, { disk, mirror, now: () => this.#now() });
    this.#channel =
      'BroadcastChannel' in globalThis ? new BroadcastChannel(`larder-outbox-${queue.name}`) : null;
    this.#channel?.addEventListener(
      'message',
      () => void this.#store.load().then(() => this.#notify()),
    );
    // Under Node an open channel would keep the process alive.
    (this.#channel as unknown as { unref?(): void } | null)?.unref?.();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): OutboxSnapshot<R> => {
    this.#snapshot ??= this.#takeSnapshot();
    return this.#snapshot;
  };

  /** The number of entries that wait, of all users. */
  get waiting(): number {
    let n = 0;
    for (const record of this.#store.records.values()) n += this.queue.ops(record).length;
    return n;
  }

  /** The number of entries set aside that need a decision. */
  get aside(): number {
    let n = 0;
    for (const { kind } of this.#store.aside.values()) if (kind !== 'unreadable') n += 1;
    return n;
  }

  get one(): string {
    return this.queue.one ?? 'entry';
  }

  /** Whether a matching record waits, also one saved by another tab: reads the disk, as the snapshot may lag behind. */
  async holds(like: (record: R) => boolean): Promise<boolean> {
    await this.#store.load();
    for (const record of this.#store.records.values()) if (like(record)) return true;
    return false;
  }

  /** Loads the records and sends them now, regularly, and whenever the network may be back; returns the stop function. */
  start(): () => void {
    const go = () => void this.flush();
    const looked = () => document.visibilityState === 'visible' && go();
    window.addEventListener('online', go);
    document.addEventListener('visibilitychange', looked);
    const stopReach = reachability.onBack(go);
    const timer = setInterval(go, FLUSH_EVERY_MS);
    void this.open().then(go);
    return () => {
      window.removeEventListener('online', go);
      document.removeEventListener('visibilitychange', looked);
      stopReach();
      clearInterval(timer);
      clearTimeout(this.#flushTimer);
      this.#flushTimer = undefined;
    };
  }

  /** Loads the records from disk and mirror. */
  async open(): Promise<void> {
    await this.#store.load();
    this.#ready = true;
    this.#notify();
  }

  /**
   * Saves a new record, which is safe once the disk has confirmed it. Its `numbers` entries get the
   * sequence numbers from `first` on.
   */
  async save(numbers: number, make: (device: string, first: number) => R): Promise<SavedRecord<R>> {
    const id = uuid7(this.#now());
    let record: R | undefined;
    const write = () =>
      this.#ports.disk.append(numbers, (device) => {
        record = make(device.id, device.seq + 1);
        return [id, { lane: this.queue.name, record }];
      });
    let place: SavedPlace = 'disk';
    try {
      await write().catch(async (error: unknown) => {
        if (!isDiskFull(error)) throw error;
        await this.#makeRoom();
        return write();
      });
    } catch {
      record = make(this.#fallbackDevice.id, this.#fallbackDevice.seq + 1);
      this.#fallbackDevice.seq += numbers;
      place = 'nowhere';
    }
    if (record === undefined) throw new Error('a record was written that was never made');
    const mirrored = this.#ports.mirror.put(this.queue.pendingKey + id, record);
    if (place === 'nowhere' && mirrored) place = 'mirror';
    this.#add(id, record, place);
    return { id, record, place };
  }

  /** For a page that is being closed: writes the mirror before it returns. */
  saveNow(numbers: number, make: (device: string, first: number) => R): SavedRecord<R> {
    const id = uuid7(this.#now());
    const record = make(this.#fallbackDevice.id, this.#fallbackDevice.seq + 1);
    this.#fallbackDevice.seq += numbers;
    const mirrored = this.#ports.mirror.put(this.queue.pendingKey + id, record);
    const place = mirrored ? 'mirror' : 'nowhere';
    void this.#ports.disk.put('pending', id, { lane: this.queue.name, record }).catch(() => {});
    this.#add(id, record, place);
    return { id, record, place };
  }

  #add(id: string, record: R, place: SavedPlace): void {
    this.#store.records.set(id, record);
    if (place === 'nowhere') this.#store.unsaved.add(id);
    this.#changed();
    this.#sendSoon();
  }

  /**
   * Schedules sending, unless the browser knows it has no network: then the `online` event or the timer of
   * `start` sends it. The timer tries whatever the browser thinks about its network.
   */
  #sendSoon(): void {
    if (globalThis.navigator?.onLine === false) return;
    this.#waitingSince ??= performance.now();
    if (this.#waitedMs() >= GATHER_MAX_MS && this.#retryDelay() <= 0)
      this.#sendIn(AFTER_PAINT_MS, true);
    else if (this.#flushTimer === undefined) this.#sendIn(GATHER_MS);
  }

  /** Flushes after `ms`, once no one is typing; with `evenIf` also during typing. */
  #sendIn(ms: number, evenIf = false): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = setTimeout(
      () => {
        this.#flushTimer = undefined;
        if (evenIf || !isUserTyping() || this.#waitedMs() >= GATHER_LATEST_MS) void this.flush();
        else this.#sendIn(GATHER_MS);
      },
      Math.max(ms, this.#retryDelay()),
    );
  }

  #waitedMs(): number {
    return performance.now() - (this.#waitingSince ?? performance.now());
  }

  /** Milliseconds until the next try is allowed after a failed one. */
  #retryDelay(): number {
    return this.#stopped
      ? Math.min(this.#triedAt + RETRY_AFTER_MS - this.#now(), RETRY_AFTER_MS)
      : 0;
  }

  /** Sends what waits; one flush at a time in the whole browser. */
  flush(): Promise<FlushResult> {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    this.#waitingSince = null;
    if (this.#running) {
      this.#flushAgain = true;
      return this.#running;
    }
    const once = async (): Promise<FlushResult> => {
      const total: FlushResult = { sent: 0, held: 0, superseded: 0 };
      do {
        this.#flushAgain = false;
        await withLock(lockName(this.queue.name), () => this.#sendAll(total));
      } while (this.#flushAgain && !this.#stopped);
      return total;
    };
    this.#running = once()
      .catch(() => ({ sent: 0, held: 0, superseded: 0 }))
      .then((total) => {
        clearTimeout(this.#slowTimer);
        this.#slowTimer = undefined;
        this.#running = null;
        const mustNotify = this.#sending || this.#stopped !== null;
        this.#sending = false;
        if (mustNotify) this.#notify();
        else this.#notifyWhenIdle();
        if (total.sent + total.held > 0) {
          window.dispatchEvent(new CustomEvent(`${this.queue.name}:synced`, { detail: total }));
        }
        return total;
      });
    return this.#running;
  }

  /** Sends an aside record once more; it stays aside until there is an answer. */
  async recheck(id: string): Promise<Answer | null> {
    const item = this.#store.aside.get(id);
    if (!item?.record) return null;
    const [answer] = await this.queue.send(item.record);
    if (!answer) return null;
    if (answer.outcome === 'held' || answer.outcome === 'rejected') {
      await this.#store.putAside([{ ...this.#store.asideOf(item.record, answer), id }]);
    } else {
      this.#settle(item.record, answer);
      await this.discard(id);
    }
    this.#changed();
    return answer;
  }

  /** Drops an aside record after the user's decision. */
  async discard(id: string): Promise<void> {
    await this.#store.discard(id);
    this.#changed();
  }

  /** Everything that is only on this device, for a download. */
  exportAll(): unknown {
    return {
      kind: this.queue.name,
      savedAt: new Date(this.#now()).toISOString(),
      records: this.#store.sorted(),
      aside: [...this.#store.aside.values()],
    };
  }

  #now(): number {
    return this.#ports.now?.() ?? Date.now();
  }

  // --- sending

  async #sendAll(total: FlushResult): Promise<void> {
    await this.#store.load();
    this.#stopped = null;
    if (this.#store.records.size === 0) return;
    this.#triedAt = this.#now();
    this.#slowTimer ??= setTimeout(() => {
      this.#sending = true;
      this.#notify();
    }, SHOW_SENDING_AFTER_MS);
    const answered = new Map<string, Answer>();
    const failed = new Set<string>();
    let most = MAX_ENTRIES;
    for (;;) {
      const batch = this.#nextBatch(answered, failed, most);
      if (!batch) return;
      let answers: readonly Answer[];
      try {
        answers = await this.queue.send(batch);
      } catch (error) {
        const { status, message } = Problem.of(error);
        const size = this.queue.ops(batch).length;
        const tooMuch = status === 413 || status === 400 || status === 422;
        if (!tooMuch) {
          this.#stopped = stopReasonOf(status);
          if (!this.queue.independent || status !== 500) return;
          failed.add(this.queue.groupKey(batch));
          continue;
        }
        if (size > 1) {
          most = Math.ceil(size / 2);
          continue;
        }
        // A single entry that is refused like this never passes: reject it, or it blocks all others for ever.
        answers = this.queue.ops(batch).map((op) => ({ op, outcome: 'rejected', reason: message }));
      }
      const asked = new Set(this.queue.ops(batch));
      const now = answers.filter(({ op }) => asked.has(op));
      if (now.length === 0) {
        this.#stopped = 'busy';
        return;
      }
      for (const answer of now) answered.set(answer.op, answer);
      most = Math.min(MAX_ENTRIES, most * 2);
      this.#sentAt = this.#now();
      await this.#removeAnswered(answered, total);
      this.#channel?.postMessage('changed');
      this.#notifyWhenIdle();
    }
  }

  /** The oldest unanswered entries of one group, joined into one record. */
  #nextBatch(
    answered: ReadonlyMap<string, Answer>,
    failed: ReadonlySet<string>,
    most: number,
  ): R | null {
    const parts: R[] = [];
    let group: string | null = null;
    let room = most;
    for (const { record } of this.#store.sorted()) {
      if (this.queue.sendable?.(record) === false) continue;
      if (failed.has(this.queue.groupKey(record))) continue;
      const open = this.queue.ops(record).filter((op) => !answered.has(op));
      if (open.length === 0) continue;
      group ??= this.queue.groupKey(record);
      if (this.queue.groupKey(record) !== group) continue;
      const taken = open.slice(0, room);
      parts.push(this.queue.pick(record, new Set(taken)));
      room -= taken.length;
      if (room === 0) break;
    }
    return parts.length > 0 ? this.queue.join(parts) : null;
  }

  /** Removes the records whose every entry has an answer; sets refused entries aside first. */
  async #removeAnswered(answered: Map<string, Answer>, total: FlushResult): Promise<void> {
    const done: string[] = [];
    for (const [id, record] of this.#store.records) {
      const answers = this.queue.ops(record).map((op) => answered.get(op));
      if (!answers.every((answer) => answer !== undefined)) continue;
      const own = (op: string) => this.queue.pick(record, new Set([op]));
      const refused = answers.filter(({ outcome }) => outcome === 'held' || outcome === 'rejected');
      const aside = refused.map((answer) => this.#store.asideOf(own(answer.op), answer));
      if (aside.length > 0 && !(await this.#store.putAside(aside))) continue;
      for (const answer of answers) {
        this.#settle(own(answer.op), answer);
        if (answer.outcome === 'held') total.held += 1;
        else total.sent += 1;
        if (answer.outcome === 'superseded') total.superseded += 1;
      }
      done.push(id);
    }
    await this.#store.remove(done);
  }

  #settle(record: R, answer: Answer): void {
    this.#settled.push({ record, answer });
    if (this.#settled.length > MAX_ANSWERED) this.#settled.splice(0, MAX_ANSWERED / 2);
  }

  // --- room

  /** Frees cached data, then compacts records. */
  async #makeRoom(): Promise<void> {
    await this.#ports.makeRoom?.().catch(() => {});
    // A flush under way must not find its records under other ids.
    const fold = (lock: unknown) => (lock ? this.compact() : Promise.resolve());
    const name = lockName(this.queue.name);
    await (navigator.locks?.request(name, { ifAvailable: true }, fold) ?? this.compact()).catch(
      () => {},
    );
  }

  compact(): Promise<void> {
    return this.#store.compact();
  }

  // --- notifying

  #changed(): void {
    this.#channel?.postMessage('changed');
    this.#notify();
  }

  /** Notifies about answers, but not during typing: then with the next save or pause. */
  #notifyWhenIdle(): void {
    if (!isUserTyping()) this.#notify();
    else
      this.#notifyTimer ??= setTimeout(() => {
        this.#notifyTimer = undefined;
        this.#notifyWhenIdle();
      }, GATHER_MS);
  }

  #notify(): void {
    clearTimeout(this.#notifyTimer);
    this.#notifyTimer = undefined;
    // Rebuilt on the next read: several changes may come before that.
    this.#snapshot = null;
    for (const listener of this.#listeners) listener();
  }

  #takeSnapshot(): OutboxSnapshot<R> {
    const { unsaved, aside } = this.#store;
    return {
      ready: this.#ready,
      records: this.#store.sorted(),
      unsaved: new Set(unsaved),
      aside: [...aside.values()].sort((a, b) => b.at - a.at),
      settled: [...this.#settled],
      sending: this.#sending,
      stopped: this.#stopped,
      sentAt: this.#sentAt,
    };
  }
}

function stopReasonOf(status: number): StopReason {
  if (status === 0) return 'offline';
  if (status === 401) return 'signIn';
  if (status === 403 || status === 423) return 'refused';
  return 'busy';
}

function isDiskFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

/** Without lock support two flushes may run; the server recognises entries it has already. */
async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(name, work) : work();
}
