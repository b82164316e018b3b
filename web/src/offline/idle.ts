// Refetching a day on a slow phone takes longer than a key press may, so it waits for a pause in typing.

const QUIET_MS = 700;
/** Upper limit of the wait: a user may count for an hour without a pause. */
const MAX_WAIT_MS = 30_000;
const CHECK_EVERY_MS = 250;

let lastInputAt = Number.NEGATIVE_INFINITY;
let waitingSince: number | null = null;

if (typeof window !== 'undefined') {
  const noteInput = () => {
    lastInputAt = performance.now();
  };
  for (const kind of ['keydown', 'input', 'pointerdown']) {
    window.addEventListener(kind, noteInput, { capture: true, passive: true });
  }
}

export function isUserTyping(): boolean {
  return performance.now() - lastInputAt < QUIET_MS;
}

/** Resolves after `QUIET_MS` without typing, at once if no one is typing, or when `signal` aborts. */
export async function waitForIdle(signal: AbortSignal): Promise<void> {
  waitingSince ??= performance.now();
  while (!signal.aborted) {
    if (!isUserTyping() || performance.now() - waitingSince >= MAX_WAIT_MS) break;
    await new Promise((done) => setTimeout(done, CHECK_EVERY_MS));
  }
  if (!signal.aborted) waitingSince = null;
}
