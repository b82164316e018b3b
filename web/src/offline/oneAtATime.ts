/**
 * Lets `work` run one at a time. A call during a run is answered by another run after it, with the arguments of the last
 * call: the current one may already have passed by what is new.
 */
export function oneAtATime<A extends unknown[]>(
  work: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let last: A;
  function go(...args: A): Promise<void> {
    last = args;
    if (!running) {
      running = work(...args).finally(() => {
        running = null;
      });
      return running;
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        return go(...last);
      });
    return next;
  }
  return go;
}
