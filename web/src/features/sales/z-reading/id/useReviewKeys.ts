import { useEffect, useRef } from 'react';

interface Keys {
  /** Ctrl+Enter. */
  verify(): void;
  /** Ctrl+Shift+Enter. */
  leave(): void;
  mayVerify: boolean;
  mayLeave: boolean;
}

/** Verifies or leaves a reading by key, wherever the focus is, but not behind a dialog. */
export function useReviewKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { verify, leave, mayVerify, mayLeave } = latest.current;
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented)
        return;
      if (document.querySelector('[role="dialog"]')) return;
      if (event.shiftKey) {
        event.preventDefault();
        if (mayLeave) leave();
      } else if (mayVerify) {
        event.preventDefault();
        verify();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
