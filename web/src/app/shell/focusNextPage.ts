import { overlayOpen } from '#/ui/keys';

/** How long a heading may stay as it was before it counts as that of the same page, such as of another record. */
const SAME_MS = 600;
/** How long a page may take to appear. */
const PATIENCE_MS = 8_000;

/**
 * Focuses the heading of the page that is being opened as soon as it is there: a reader hears where it is, and Tab and
 * «/» go on from there. Anything that takes the focus meanwhile keeps it, such as a drawer or a field of the page.
 */
export function focusNextPage(): void {
  const headingNow = () => document.querySelector<HTMLElement>('main h1');
  const before = headingNow();
  const words = before?.textContent;
  const start = performance.now();
  const tryOut = () => {
    const waited = performance.now() - start;
    const heading = headingNow();
    const isNext = heading && (heading !== before || heading.textContent !== words);
    if (!(isNext || (heading && waited > SAME_MS)) || overlayOpen()) {
      if (waited < PATIENCE_MS) requestAnimationFrame(tryOut);
      return;
    }
    const { activeElement } = document;
    // The page focused a field of its own.
    if (isNext && activeElement?.closest('main') && activeElement.id !== 'content') return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  requestAnimationFrame(tryOut);
}
