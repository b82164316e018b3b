import { useEffect, useState } from 'react';

/**
 * Returns focus on unmount to the element that had it, unless something else took it. A dialog
 * that is unmounted rather than closed would otherwise lose focus. If that element is gone, such as
 * the button of a step that was taken, the page's content takes the focus.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(
    () => () => {
      // After the focus trap has been released.
      setTimeout(() => {
        const { activeElement, body } = document;
        if (activeElement && activeElement !== body) return;
        const back = before?.isConnected ? before : document.getElementById('content');
        back?.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
