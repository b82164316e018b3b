// All outboxes of this page, for code that only asks whether something waits to be sent.

interface RegisteredOutbox {
  readonly waiting: number;
  /** Entries the server refused or held: they need a decision. */
  readonly aside: number;
  /** What one of its entries is called. */
  readonly one: string;
  subscribe(listener: () => void): () => void;
  flush(): Promise<unknown>;
  exportAll(): unknown;
}

const outboxes = new Set<RegisteredOutbox>();
const listeners = new Set<() => void>();

export function registerOutbox<T extends RegisteredOutbox>(outbox: T): T {
  outboxes.add(outbox);
  outbox.subscribe(() => {
    for (const listener of listeners) listener();
  });
  return outbox;
}

export function countWaiting(): number {
  return [...outboxes].reduce((sum, { waiting }) => sum + waiting, 0);
}

export function countAside(): number {
  return [...outboxes].reduce((sum, { aside }) => sum + aside, 0);
}

/** What waits is named by its kind, or «entry» if there are several kinds. */
export function nameOfWaiting(): readonly [one: string, many: string] {
  const [first, ...others] = [...outboxes].filter(({ waiting }) => waiting > 0);
  const one = first && others.every((other) => other.one === first.one) ? first.one : 'entry';
  return one === 'entry' ? ['entry', 'entries'] : [one, `${one}s`];
}

/** Notifies about changes of any outbox, also of those registered later. */
export function subscribeToOutboxes(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function flushAll(): Promise<void> {
  await Promise.all([...outboxes].map((outbox) => outbox.flush()));
}

/** Downloads a JSON file with every record that is only on this device. */
export function downloadAll(): void {
  const what = [...outboxes].map((outbox) => outbox.exportAll());
  const text = JSON.stringify(what, null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `larder-not-sent-${new Date().toISOString().slice(0, 16).replace(/\D/g, '')}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
