// In-memory storage for tests; as with the real one, its content outlives the outbox that wrote it.
import type { Device, Disk, Row, StoreName } from './disk';
import type { Mirror } from './mirror';

export class MemoryDisk implements Disk {
  readonly stores: Record<StoreName, Map<string, unknown>> = {
    pending: new Map(),
    aside: new Map(),
    cache: new Map(),
    meta: new Map(),
  };
  owner: Device = { id: 'device', seq: 0 };
  /** While set, every write fails with it. */
  fault: DOMException | null = null;
  faults = 0;

  #write(): void {
    if (!this.fault) return;
    this.faults += 1;
    throw this.fault;
  }

  async get(store: StoreName, key: string): Promise<unknown> {
    return structuredClone(this.stores[store].get(key));
  }

  async all(store: StoreName): Promise<Row[]> {
    return structuredClone([...this.stores[store]].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async keys(store: StoreName): Promise<string[]> {
    return [...this.stores[store].keys()].sort();
  }

  async put(store: StoreName, key: string, value: unknown): Promise<void> {
    await this.change(store, [[key, value]], []);
  }

  async change(store: StoreName, puts: readonly Row[], removes: readonly string[]): Promise<void> {
    if (puts.length > 0) this.#write();
    for (const [key, value] of puts) this.stores[store].set(key, structuredClone(value));
    for (const key of removes) this.stores[store].delete(key);
  }

  async sweep(store: StoreName, prefix: string, keep?: (key: string) => boolean): Promise<void> {
    for (const key of this.stores[store].keys()) {
      if (key.startsWith(prefix) && !keep?.(key)) this.stores[store].delete(key);
    }
  }

  async append(numbers: number, make: (device: Device) => Row): Promise<Device> {
    this.#write();
    const device = { ...this.owner };
    const [key, value] = make(device);
    this.owner = { ...device, seq: device.seq + numbers };
    this.stores.pending.set(key, structuredClone(value));
    return device;
  }

  async device(): Promise<string> {
    return this.owner.id;
  }
}

export class MemoryMirror implements Mirror {
  readonly values = new Map<string, string>();
  full = false;

  all(prefix: string): [string, unknown][] {
    return [...this.values]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, text]) => [key, JSON.parse(text)]);
  }

  keys(prefix: string): string[] {
    return [...this.values.keys()].filter((key) => key.startsWith(prefix));
  }

  get(key: string): unknown {
    const text = this.values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  put(key: string, value: unknown): boolean {
    if (this.full) return false;
    this.values.set(key, JSON.stringify(value));
    return true;
  }

  remove(key: string): void {
    this.values.delete(key);
  }
}
