/** Fallback for pages that render no frames, in milliseconds. */
const LATEST_MS = 150;

let due = new Set<() => void>();

/**
 * Runs work after the next frame: all of it together, so that the screen renders once for it, and the same
 * function once.
 */
export function afterFrame(work: () => void): void {
  const begun = due.size > 0;
  due.add(work);
  if (begun) return;
  // Hidden pages render no frames.
  if (document.visibilityState === 'hidden') {
    setTimeout(doAll);
    return;
  }
  const late = setTimeout(doAll, LATEST_MS);
  requestAnimationFrame(() => {
    clearTimeout(late);
    setTimeout(doAll);
  });
}

function doAll(): void {
  const all = due;
  due = new Set();
  for (const work of all) {
    try {
      work();
    } catch (error) {
      reportError(error);
    }
  }
}
