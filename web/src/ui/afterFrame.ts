/** A page that stopped drawing does it all the same, this much later. */
const LATEST_MS = 150;

let due = new Set<() => void>();

/**
 * Does what need not be in the next frame when that frame has been drawn: all of it in one go, so that
 * the screen is drawn once for it, and the same work once.
 */
export function afterFrame(work: () => void): void {
  const begun = due.size > 0;
  due.add(work);
  if (begun) return;
  // A page that nobody sees draws none.
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
