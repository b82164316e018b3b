import { useEffect, useState } from 'react';

/**
 * Returns focus on unmount to the element that had it, unless something else took it. A dialog
 * that is unmounted rather than closed would otherwise lose focus.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(
    () => () => {
      // After the focus trap has been released.
      setTimeout(() => {
        const { activeElement, body } = document;
        if (before?.isConnected && (!activeElement || activeElement === body)) {
          before.focus({ preventScroll: true });
        }
      });
    },
    [before],
  );
}
