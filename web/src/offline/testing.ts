// Stores for tests: what is in them outlives the page that wrote it, as the real ones do.
import type { Device, Disk, Row, Shelf } from './disk';
import type { Mirror } from './mirror';

export class MemoryDisk implements Disk {
  readonly shelves: Record<Shelf, Map<string, unknown>> = {
    pending: new Map(),
    aside: new Map(),
    cache: new Map(),
    meta: new Map(),
  };
  owner: Device = { id: 'device', seq: 0 };
  /** What every writing fails with, while it is set. */
  fault: DOMException | null = null;
  faults = 0;

  #write(): void {
    if (!this.fault) return;
    this.faults += 1;
    throw this.fault;
  }

  async get(shelf: Shelf, key: string): Promise<unknown> {
    return structuredClone(this.shelves[shelf].get(key));
  }

  async all(shelf: Shelf): Promise<Row[]> {
    return structuredClone([...this.shelves[shelf]].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async keys(shelf: Shelf): Promise<string[]> {
    return [...this.shelves[shelf].keys()].sort();
  }

  async put(shelf: Shelf, key: string, value: unknown): Promise<void> {
    await this.change(shelf, [[key, value]], []);
  }

  async change(shelf: Shelf, puts: readonly Row[], removes: readonly string[]): Promise<void> {
    if (puts.length > 0) this.#write();
    for (const [key, value] of puts) this.shelves[shelf].set(key, structuredClone(value));
    for (const key of removes) this.shelves[shelf].delete(key);
  }

  async sweep(shelf: Shelf, prefix: string, keep?: (key: string) => boolean): Promise<void> {
    for (const key of this.shelves[shelf].keys()) {
      if (key.startsWith(prefix) && !keep?.(key)) this.shelves[shelf].delete(key);
    }
  }

  async append(numbers: number, make: (device: Device) => Row): Promise<Device> {
    this.#write();
    const device = { ...this.owner };
    const [key, value] = make(device);
    this.owner = { ...device, seq: device.seq + numbers };
    this.shelves.pending.set(key, structuredClone(value));
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
