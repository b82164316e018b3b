// A page opened before an update may ask for code files that no longer exist.

const KEY = 'larder:reloaded';
const MIN_INTERVAL_MS = 60_000;

/** Reloads the page when code is missing, unless that would lose input; not twice within `MIN_INTERVAL_MS`. */
export function reloadForNewVersion(wouldLose: () => boolean): void {
  window.addEventListener('vite:preloadError', (event) => {
    const now = Date.now();
    try {
      if (now - Number(sessionStorage.getItem(KEY) ?? 0) < MIN_INTERVAL_MS || wouldLose()) return;
      sessionStorage.setItem(KEY, String(now));
    } catch {
      return;
    }
    event.preventDefault();
    window.location.reload();
  });
}
