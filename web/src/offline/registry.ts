// Every outbox of this page, for those who only want to know whether something waits.

interface Waiting {
  readonly waiting: number;
  flush(): Promise<unknown>;
  everything(): unknown;
}

const outboxes = new Set<Waiting>();

export function register<T extends Waiting>(outbox: T): T {
  outboxes.add(outbox);
  return outbox;
}

export function waitingInAll(): number {
  return [...outboxes].reduce((sum, { waiting }) => sum + waiting, 0);
}

export async function flushAll(): Promise<void> {
  await Promise.all([...outboxes].map((outbox) => outbox.flush()));
}

/** A file with everything that is only on this device. */
export function downloadAll(): void {
  const what = [...outboxes].map((outbox) => outbox.everything());
  const text = JSON.stringify(what, null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `larder-not-sent-${new Date().toISOString().slice(0, 16).replace(/\D/g, '')}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
