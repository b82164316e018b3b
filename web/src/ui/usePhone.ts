import { useSyncExternalStore } from 'react';

const query = '(max-width: 47.99em)';

function listen(changed: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/** Narrow screens get cards and a bottom bar. */
export function usePhone(): boolean {
  return useSyncExternalStore(
    listen,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
