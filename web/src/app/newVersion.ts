// A page opened before an update asks for pieces that are gone since.

const KEY = 'larder:reloaded';
const PAUSE_MS = 60_000;

/** Takes the new version once, unless that would lose something typed. */
export function takeNewVersions(wouldLose: () => boolean): void {
  window.addEventListener('vite:preloadError', (event) => {
    const now = Date.now();
    try {
      if (now - Number(sessionStorage.getItem(KEY) ?? 0) < PAUSE_MS || wouldLose()) return;
      sessionStorage.setItem(KEY, String(now));
    } catch {
      return;
    }
    event.preventDefault();
    window.location.reload();
  });
}
