import { type RefObject, useEffect, useRef } from 'react';

/** The element focused last: a button that is busy has lost the focus by the time its dialog opens. */
let last: HTMLElement | null = null;
if (typeof document !== 'undefined') {
  document.addEventListener('focusin', ({ target }) => {
    last = target as HTMLElement;
  });
}

function focusedNow(): HTMLElement | null {
  const { activeElement, body } = document;
  return activeElement === body ? last : (activeElement as HTMLElement | null);
}

/**
 * Returns focus to the element that had it when a dialog is closed or unmounted, unless something else took it: a
 * dialog that is unmounted would otherwise lose focus, as would one that a busy button opened. If that element is gone,
 * such as the button of a step that was taken, the page's content takes the focus. `within` is the dialog that may
 * still have the focus while it slides out.
 */
export function useReturnFocus(opened = true, within?: RefObject<HTMLElement | null>): void {
  const before = useRef<HTMLElement | null>(null);
  const was = useRef(false);
  // Before the dialog takes the focus.
  if (opened && !was.current) before.current = focusedNow();
  was.current = opened;
  useEffect(() => {
    if (!opened) return;
    return () => {
      const closing = within?.current;
      // After the focus trap has been released.
      setTimeout(() => {
        const { activeElement, body } = document;
        if (activeElement && activeElement !== body && !closing?.contains(activeElement)) return;
        const back = before.current?.isConnected
          ? before.current
          : document.getElementById('content');
        back?.focus({ preventScroll: true });
      });
    };
  }, [opened, within]);
}
