// All outboxes of this page, for code that only asks whether something waits to be sent.

interface RegisteredOutbox {
  readonly waiting: number;
  flush(): Promise<unknown>;
  exportAll(): unknown;
}

const outboxes = new Set<RegisteredOutbox>();

export function registerOutbox<T extends RegisteredOutbox>(outbox: T): T {
  outboxes.add(outbox);
  return outbox;
}

export function countWaiting(): number {
  return [...outboxes].reduce((sum, { waiting }) => sum + waiting, 0);
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
