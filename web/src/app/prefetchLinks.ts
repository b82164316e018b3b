import { prefetchRoute } from './router';

interface Saving {
  connection?: { saveData?: boolean };
}

/**
 * Loads the code of a page when the pointer or the focus comes to a link to it, before it is opened. Not where the
 * browser is to save data. Returns what ends it.
 */
export function prefetchLinks(root: Document, load = prefetchRoute): () => void {
  let last: Element | null = null;
  const onIntent = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link === last || link.origin !== root.location.origin) return;
    if ((navigator as Saving).connection?.saveData) return;
    last = link;
    load(link.pathname);
  };
  const intents = ['pointerover', 'focusin', 'touchstart'];
  for (const intent of intents) root.addEventListener(intent, onIntent, { passive: true });
  return () => {
    for (const intent of intents) root.removeEventListener(intent, onIntent);
  };
}
