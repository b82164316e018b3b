// Registers the service worker, and reloads for a new one without losing what is being typed.
import { commitInputs } from './commit';

const CHECK_EVERY_MS = 30 * 60_000;
const RETRY_EVERY_MS = 5_000;

interface ReloadHooks {
  /** Whether a reload would lose typed input that cannot be saved now. */
  wouldLose(): boolean;
  reload(): void;
}

/** Registers `/sw.js`; does nothing in browsers without service workers. */
export function registerWorker(ways: ReloadHooks): void {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  // The very first worker serves the version this page already has: no reload.
  let known = workers.controller !== null;
  let reloading = false;
  workers.addEventListener('controllerchange', () => {
    if (!known) {
      known = true;
      return;
    }
    if (reloading) return;
    reloading = true;
    void reloadForUpdate(ways);
  });
  void workers
    .register('/sw.js', { scope: '/' })
    .then((registration) => {
      const check = () => void registration.update().catch(() => {});
      setInterval(check, CHECK_EVERY_MS);
      window.addEventListener('online', check);
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') check();
      });
    })
    .catch(() => {
      // Without a worker only a start without a network fails.
    });
}

/** Saves what is typed and reloads; waits while a form would lose something. */
export async function reloadForUpdate({ wouldLose, reload }: ReloadHooks): Promise<void> {
  for (;;) {
    await commitInputs();
    if (!wouldLose()) break;
    await new Promise((done) => setTimeout(done, RETRY_EVERY_MS));
  }
  reload();
}
