// Keeps the records of one outbox on the disk (IndexedDB) and in the mirror (localStorage): pending ones and those set
// aside. A row on the disk names its queue as `lane`; devices hold such rows, so the name stays.
import type { Disk } from './disk';
import type { Mirror } from './mirror';
import { uuid7 } from './uuid7';
import type { Answer, AsideRecord, QueuedRecord, WriteQueue } from './writeQueue';

export interface Backends {
  disk: Disk;
  mirror: Mirror;
  now(): number;
}

/** With more unknown records than this, all are read in one request instead of one each. */
const READ_ALL_OVER = 20;

/** Records never change, so a known one is not read again. */
export class RecordStore<R> {
  readonly #queue: WriteQueue<R>;
  readonly #backends: Backends;
  readonly records = new Map<string, R>();
  /** Ids that neither the disk nor the mirror could store. */
  readonly unsaved = new Set<string>();
  readonly aside = new Map<string, AsideRecord<R>>();
  /** Removed by this page: a `load` that began before must not bring them back. */
  readonly #removed = new Set<string>();
  /** On the disk, but of another queue. */
  readonly #ofOtherQueues = new Set<string>();

  constructor(queue: WriteQueue<R>, backends: Backends) {
    this.#queue = queue;
    this.#backends = backends;
  }

  /** In order of creation. */
  sorted(): QueuedRecord<R>[] {
    const records = [...this.records].map(([id, record]) => ({ id, record }));
    return records.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  // --- reading

  /** Merges disk and mirror into memory. */
  async load(): Promise<void> {
    const { disk, mirror } = this.#backends;
    const { name, pendingKey } = this.#queue;
    // Records added while this reads must not be taken for removed ones.
    const before = [...this.records.keys()];
    const asideBefore = [...this.aside.keys()];
    const news = new Map<string, unknown>();
    let onDisk: ReadonlySet<string> | null = null;
    let asideOnDisk: AsideRecord<R>[] = [];
    try {
      const ids = await disk.keys('pending');
      for (const [id, value] of await this.#readUnknown(ids)) {
        if (queueNameOf(value) === name) news.set(id, (value as { record: unknown }).record);
        else this.#ofOtherQueues.add(id);
      }
      onDisk = new Set(ids.filter((id) => !this.#ofOtherQueues.has(id)));
      asideOnDisk = (await disk.all('aside')).flatMap(([, value]) =>
        queueNameOf(value) === name ? [value as AsideRecord<R>] : [],
      );
    } catch {
      // The disk cannot be read now; the next load tries again.
    }
    const mirrored = new Set(mirror.keys(pendingKey).map((key) => key.slice(pendingKey.length)));
    for (const id of mirrored) {
      if (!this.records.has(id) && !news.has(id)) news.set(id, mirror.get(pendingKey + id));
    }
    const foundAside = this.#loadAside(asideOnDisk);
    for (const [id, value] of news) {
      if (this.#removed.has(id)) continue;
      const record = this.#queue.read(value);
      if (record) this.records.set(id, record);
      else await this.#quarantine(id, value);
    }
    for (const id of mirrored) await this.#copyToDisk(id, onDisk);
    if (!onDisk) return;
    // Gone from the disk: another tab has sent them.
    for (const id of before) {
      if (!onDisk.has(id) && !mirrored.has(id) && !this.unsaved.has(id)) this.records.delete(id);
    }
    for (const id of asideBefore) if (!foundAside.has(id)) this.aside.delete(id);
  }

  async #readUnknown(ids: readonly string[]): Promise<(readonly [string, unknown])[]> {
    const { disk } = this.#backends;
    const news = new Set(ids.filter((id) => !this.records.has(id) && !this.#ofOtherQueues.has(id)));
    if (news.size > READ_ALL_OVER)
      return (await disk.all('pending')).filter(([id]) => news.has(id));
    const rows = await Promise.all(
      [...news].map(async (id) => [id, await disk.get('pending', id)] as const),
    );
    // Another tab may have sent one since its key was read.
    return rows.filter(([, value]) => value !== undefined);
  }

  #loadAside(onDisk: readonly AsideRecord<R>[]): ReadonlySet<string> {
    const { quarantineKey } = this.#queue;
    const found = new Map(onDisk.map((item) => [item.id, item]));
    for (const [key, value] of this.#backends.mirror.all(quarantineKey)) {
      const id = key.slice(quarantineKey.length);
      if (!found.has(id) && isAsideRecord<R>(value)) found.set(id, value);
    }
    for (const [id, item] of found) this.aside.set(id, item);
    return new Set(found.keys());
  }

  /** A record that is only in the mirror, after a crash between two writes or a full disk, is copied to the disk. */
  async #copyToDisk(id: string, onDisk: ReadonlySet<string> | null): Promise<void> {
    const record = this.records.get(id);
    if (record === undefined) return;
    this.unsaved.delete(id);
    if (!onDisk || onDisk.has(id)) return;
    await this.#backends.disk
      .put('pending', id, { lane: this.#queue.name, record })
      .catch(() => {});
  }

  async #quarantine(id: string, raw: unknown): Promise<void> {
    const kept = await this.putAside([
      {
        id,
        lane: this.#queue.name,
        kind: 'unreadable',
        reason: 'This could not be read. Download it and send it to your administrator.',
        at: this.#backends.now(),
        record: null,
        raw,
      },
    ]);
    if (kept) await this.remove([id]);
  }

  // --- removing

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    // If this fails the record is sent again, and the server answers «duplicate».
    await this.#backends.disk.change('pending', [], ids).catch(() => {});
    for (const id of ids) this.#forget(id);
  }

  #forget(id: string): void {
    this.#backends.mirror.remove(this.#queue.pendingKey + id);
    this.records.delete(id);
    this.unsaved.delete(id);
    this.#removed.add(id);
  }

  /** The aside record for an entry that the server held or rejected. */
  asideOf(record: R, answer: Answer): AsideRecord<R> {
    const { op, outcome, reason, heldFor, question } = answer;
    const held = outcome === 'held';
    return {
      id: op,
      lane: this.#queue.name,
      at: this.#backends.now(),
      record,
      kind: held ? 'held' : 'rejected',
      reason: reason || (held ? 'A manager has to approve it.' : 'It was not accepted.'),
      heldFor: heldFor ?? null,
      ...(question === undefined ? {} : { question }),
    };
  }

  /** True when the records are stored on the disk or in the mirror. */
  async putAside(items: readonly AsideRecord<R>[]): Promise<boolean> {
    const { disk, mirror } = this.#backends;
    const rows = items.map((item) => [item.id, item] as const);
    const onDisk = await disk.change('aside', rows, []).then(
      () => true,
      () => false,
    );
    let mirrored = true;
    for (const item of items) {
      // The server has held entries itself; only what it does not have needs the second copy.
      const wanted = !onDisk || item.kind !== 'held';
      if (wanted && !mirror.put(this.#queue.quarantineKey + item.id, item)) mirrored = false;
    }
    if (!onDisk && !mirrored) return false;
    for (const item of items) this.aside.set(item.id, item);
    return true;
  }

  async discard(id: string): Promise<void> {
    await this.#backends.disk.change('aside', [], [id]).catch(() => {});
    this.#backends.mirror.remove(this.#queue.quarantineKey + id);
    this.aside.delete(id);
  }

  /** Merges records of one group to save room, adding and removing in one transaction. */
  async compact(): Promise<void> {
    const { disk, mirror, now } = this.#backends;
    const groups = new Map<string, [string, R][]>();
    for (const { id, record } of this.sorted()) {
      if (this.unsaved.has(id)) continue;
      const group = this.#queue.groupKey(record);
      groups.set(group, [...(groups.get(group) ?? []), [id, record]]);
    }
    for (const members of groups.values()) {
      if (members.length < 2) continue;
      const old = members.map(([id]) => id);
      const record = this.#queue.join(members.map(([, one]) => one));
      const id = uuid7(now());
      await disk.change('pending', [[id, { lane: this.#queue.name, record }]], old);
      mirror.put(this.#queue.pendingKey + id, record);
      for (const one of old) this.#forget(one);
      this.records.set(id, record);
    }
  }
}

function queueNameOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { lane?: unknown }).lane
    : undefined;
}

function isAsideRecord<R>(value: unknown): value is AsideRecord<R> {
  return typeof value === 'object' && value !== null && 'kind' in value && 'reason' in value;
}
