// The records of one outbox in both stores: what is kept, what is put aside, and what is let go.
import type { Disk } from './disk';
import type { Answer, Aside, Kept, Lane } from './lane';
import type { Mirror } from './mirror';
import { uuid7 } from './uuid7';

export interface Stores {
  disk: Disk;
  mirror: Mirror;
  now(): number;
}

/** More than so many that are not known yet are read in one go. */
const MANY = 20;

/** A record is never changed, so one that is known is not read again. */
export class Shelves<R> {
  readonly #lane: Lane<R>;
  readonly #stores: Stores;
  readonly records = new Map<string, R>();
  /** Ids that neither store took. */
  readonly unsaved = new Set<string>();
  readonly aside = new Map<string, Aside<R>>();
  /** Removed here; what a reading that began earlier still shows of them is old. */
  readonly #gone = new Set<string>();
  /** On the disk, and of another lane. */
  readonly #foreign = new Set<string>();

  constructor(lane: Lane<R>, stores: Stores) {
    this.#lane = lane;
    this.#stores = stores;
  }

  /** The records in the order in which they were made. */
  sorted(): Kept<R>[] {
    const records = [...this.records].map(([id, record]) => ({ id, record }));
    return records.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  // --- reading

  /** Unites both stores. */
  async load(): Promise<void> {
    const { disk, mirror } = this.#stores;
    const { name, pendingKey } = this.#lane;
    // What is added while this reads is not missing.
    const before = [...this.records.keys()];
    const asideBefore = [...this.aside.keys()];
    const news = new Map<string, unknown>();
    let onDisk: ReadonlySet<string> | null = null;
    let asideOnDisk: Aside<R>[] = [];
    try {
      const ids = await disk.keys('pending');
      for (const [id, value] of await this.#unknown(ids)) {
        if (laneOf(value) === name) news.set(id, (value as { record: unknown }).record);
        else this.#foreign.add(id);
      }
      onDisk = new Set(ids.filter((id) => !this.#foreign.has(id)));
      asideOnDisk = (await disk.all('aside')).flatMap(([, value]) =>
        laneOf(value) === name ? [value as Aside<R>] : [],
      );
    } catch {
      // What cannot be read now is read at the next start.
    }
    const mirrored = new Set(mirror.keys(pendingKey).map((key) => key.slice(pendingKey.length)));
    for (const id of mirrored) {
      if (!this.records.has(id) && !news.has(id)) news.set(id, mirror.get(pendingKey + id));
    }
    const foundAside = this.#putBack(asideOnDisk);
    for (const [id, value] of news) {
      if (this.#gone.has(id)) continue;
      const record = this.#lane.read(value);
      if (record) this.records.set(id, record);
      else await this.#quarantine(id, value);
    }
    for (const id of mirrored) await this.#secure(id, onDisk);
    if (!onDisk) return;
    // Another tab has sent these.
    for (const id of before) {
      if (!onDisk.has(id) && !mirrored.has(id) && !this.unsaved.has(id)) this.records.delete(id);
    }
    for (const id of asideBefore) if (!foundAside.has(id)) this.aside.delete(id);
  }

  async #unknown(ids: readonly string[]): Promise<(readonly [string, unknown])[]> {
    const { disk } = this.#stores;
    const news = new Set(ids.filter((id) => !this.records.has(id) && !this.#foreign.has(id)));
    if (news.size > MANY) return (await disk.all('pending')).filter(([id]) => news.has(id));
    const rows = await Promise.all(
      [...news].map(async (id) => [id, await disk.get('pending', id)] as const),
    );
    // Sent by another tab since its name was read.
    return rows.filter(([, value]) => value !== undefined);
  }

  #putBack(onDisk: readonly Aside<R>[]): ReadonlySet<string> {
    const { quarantineKey } = this.#lane;
    const found = new Map(onDisk.map((item) => [item.id, item]));
    for (const [key, value] of this.#stores.mirror.all(quarantineKey)) {
      const id = key.slice(quarantineKey.length);
      if (!found.has(id) && isAside<R>(value)) found.set(id, value);
    }
    for (const [id, item] of found) this.aside.set(id, item);
    return new Set(found.keys());
  }

  /** What is only in the second copy, by a crash between two writes or a full disk, gets its first. */
  async #secure(id: string, onDisk: ReadonlySet<string> | null): Promise<void> {
    const record = this.records.get(id);
    if (record === undefined) return;
    this.unsaved.delete(id);
    if (!onDisk || onDisk.has(id)) return;
    await this.#stores.disk.put('pending', id, { lane: this.#lane.name, record }).catch(() => {});
  }

  async #quarantine(id: string, raw: unknown): Promise<void> {
    const kept = await this.putAside([
      {
        id,
        lane: this.#lane.name,
        kind: 'unreadable',
        reason: 'This could not be read. Download it and send it to your administrator.',
        at: this.#stores.now(),
        record: null,
        raw,
      },
    ]);
    if (kept) await this.remove([id]);
  }

  // --- letting go

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    // A record that stays by a failure is sent again and answered as a duplicate.
    await this.#stores.disk.change('pending', [], ids).catch(() => {});
    for (const id of ids) this.#forget(id);
  }

  #forget(id: string): void {
    this.#stores.mirror.remove(this.#lane.pendingKey + id);
    this.records.delete(id);
    this.unsaved.delete(id);
    this.#gone.add(id);
  }

  /** What was held or refused, to be put aside until somebody decides. */
  refused(record: R, answer: Answer): Aside<R> {
    const { op, outcome, reason, heldFor } = answer;
    const held = outcome === 'held';
    return {
      id: op,
      lane: this.#lane.name,
      at: this.#stores.now(),
      record,
      kind: held ? 'held' : 'rejected',
      reason: reason || (held ? 'A manager has to approve it.' : 'It was not accepted.'),
      heldFor: heldFor ?? null,
    };
  }

  /** True when it is safe on the device. */
  async putAside(items: readonly Aside<R>[]): Promise<boolean> {
    const { disk, mirror } = this.#stores;
    const rows = items.map((item) => [item.id, item] as const);
    const onDisk = await disk.change('aside', rows, []).then(
      () => true,
      () => false,
    );
    let mirrored = true;
    for (const item of items) {
      // The second copy is for what the server does not have.
      const wanted = !onDisk || item.kind !== 'held';
      if (wanted && !mirror.put(this.#lane.quarantineKey + item.id, item)) mirrored = false;
    }
    if (!onDisk && !mirrored) return false;
    for (const item of items) this.aside.set(item.id, item);
    return true;
  }

  /** Somebody decided that it is not needed any more. */
  async discard(id: string): Promise<void> {
    await this.#stores.disk.change('aside', [], [id]).catch(() => {});
    this.#stores.mirror.remove(this.#lane.quarantineKey + id);
    this.aside.delete(id);
  }

  /** Folds records together, the same entries under fewer covers; writes the new before it removes the old. */
  async compact(): Promise<void> {
    const { disk, mirror, now } = this.#stores;
    const groups = new Map<string, [string, R][]>();
    for (const { id, record } of this.sorted()) {
      if (this.unsaved.has(id)) continue;
      const group = this.#lane.group(record);
      groups.set(group, [...(groups.get(group) ?? []), [id, record]]);
    }
    for (const members of groups.values()) {
      if (members.length < 2) continue;
      const old = members.map(([id]) => id);
      const record = this.#lane.join(members.map(([, one]) => one));
      const id = uuid7(now());
      await disk.change('pending', [[id, { lane: this.#lane.name, record }]], old);
      mirror.put(this.#lane.pendingKey + id, record);
      for (const one of old) this.#forget(one);
      this.records.set(id, record);
    }
  }
}

function laneOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? (value as { lane?: unknown }).lane
    : undefined;
}

function isAside<R>(value: unknown): value is Aside<R> {
  return typeof value === 'object' && value !== null && 'kind' in value && 'reason' in value;
}
