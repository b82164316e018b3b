// Registers the service worker, and takes a new one without losing what is being typed.
import { commitInputs } from './commit';

const LOOK_EVERY_MS = 30 * 60_000;
const TRY_EVERY_MS = 5_000;

interface Ways {
  /** Whether a reload would lose something typed that cannot be written down. */
  wouldLose(): boolean;
  reload(): void;
}

/** `/sw.js` for the whole site; nothing happens where browsers have no service workers. */
export function registerWorker(ways: Ways): void {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  // The first one takes over a page that it also describes: nothing is new then.
  let known = workers.controller !== null;
  let reloading = false;
  workers.addEventListener('controllerchange', () => {
    if (!known) {
      known = true;
      return;
    }
    if (reloading) return;
    reloading = true;
    void takeOver(ways);
  });
  void workers
    .register('/sw.js', { scope: '/' })
    .then((registration) => {
      const look = () => void registration.update().catch(() => {});
      setInterval(look, LOOK_EVERY_MS);
      window.addEventListener('online', look);
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') look();
      });
    })
    .catch(() => {
      // Without a worker everything works but a start without a network.
    });
}

/** Writes down what is typed and reloads once; waits while a form would lose something. */
export async function takeOver({ wouldLose, reload }: Ways): Promise<void> {
  for (;;) {
    await commitInputs();
    if (!wouldLose()) break;
    await new Promise((done) => setTimeout(done, TRY_EVERY_MS));
  }
  reload();
}
