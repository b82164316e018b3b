import { type RefObject, useEffect } from 'react';
import { goesToSearch, overlayOpen } from './keys';

/** «/» goes to the search box of the page. */
export function useSearchKey(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const find = (event: KeyboardEvent) => {
      if (!goesToSearch(event) || overlayOpen()) return;
      event.preventDefault();
      box.current?.focus();
    };
    window.addEventListener('keydown', find);
    return () => window.removeEventListener('keydown', find);
  }, [box]);
}
