import { useLayoutEffect } from 'react';
import { usePrinting } from '#/ui/usePrinting';

const SCHEME = 'data-mantine-color-scheme';

/** Prints in light colours. */
export function useLightPaper(): void {
  const printing = usePrinting();
  useLayoutEffect(() => {
    const root = document.documentElement;
    const scheme = root.getAttribute(SCHEME);
    if (!printing || !scheme) return;
    root.setAttribute(SCHEME, 'light');
    return () => root.setAttribute(SCHEME, scheme);
  }, [printing]);
}
