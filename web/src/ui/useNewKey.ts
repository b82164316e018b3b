import { useEffect, useRef } from 'react';
import { isTyping, overlayOpen } from './keys';

/** Makes a new record on N, as lists do; not while a field has the focus, or something is open. */
export function useNewKey(onNew: (() => void) | false): void {
  const latest = useRef(onNew);
  latest.current = onNew;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key !== 'n' || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
      if (!latest.current || isTyping(event) || overlayOpen()) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
