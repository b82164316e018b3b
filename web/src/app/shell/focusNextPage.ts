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
    // The page focused a field of its own.
    if (isNext && isOwn(document.activeElement)) return;
    focus(heading);
    keep(heading, start);
  };
  requestAnimationFrame(tryOut);
}

const isOwn = (element: Element | null) => element?.closest('main') && element.id !== 'content';

function focus(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Focuses the heading again when its page replaces it, as by the record that it waited for. */
function keep(heading: HTMLElement, start: number): void {
  let focused = heading;
  const look = () => {
    const { activeElement, body } = document;
    const now = document.querySelector<HTMLElement>('main h1');
    if (activeElement === body && now && now !== focused) {
      focus(now);
      focused = now;
    } else if (activeElement !== focused && activeElement !== body) return;
    if (performance.now() - start < PATIENCE_MS) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
