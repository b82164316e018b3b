// What may wait does so while somebody types: fetching a day anew costs a slow phone more than a key may take.

const QUIET_MS = 700;
/** So long at most: somebody may count for an hour without a pause. */
const LONGEST_MS = 30_000;
const LOOK_MS = 250;

let touchedAt = Number.NEGATIVE_INFINITY;
let owedSince: number | null = null;

if (typeof window !== 'undefined') {
  const touched = () => {
    touchedAt = performance.now();
  };
  for (const kind of ['keydown', 'input', 'pointerdown']) {
    window.addEventListener(kind, touched, { capture: true, passive: true });
  }
}

/** Whether somebody is typing just now. */
export function isBusy(): boolean {
  return performance.now() - touchedAt < QUIET_MS;
}

/** Until nobody has typed for a moment. Whoever only watches does not wait. */
export async function calm(signal: AbortSignal): Promise<void> {
  owedSince ??= performance.now();
  while (!signal.aborted) {
    if (!isBusy() || performance.now() - owedSince >= LONGEST_MS) break;
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  if (!signal.aborted) owedSince = null;
}
