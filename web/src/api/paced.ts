/**
 * Asks at most once in `ms`, and never twice at a time: callers share the answer under way. Live
 * changes may make it stale many times a second.
 */
export function paced<T>(ask: () => Promise<T>, ms: number): () => Promise<T> {
  let asked = Number.NEGATIVE_INFINITY;
  let next: Promise<T> | null = null;
  let running: Promise<T> | null = null;

  async function later(): Promise<T> {
    // The request under way was sent before the change.
    await running?.catch(() => {});
    const wait = asked + ms - Date.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    asked = Date.now();
    running = ask();
    next = null;
    return running;
  }

  return () => {
    next ??= later();
    return next;
  };
}
