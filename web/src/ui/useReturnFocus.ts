import { useEffect, useState } from 'react';

/**
 * Whatever had the keyboard gets it back when this goes away, unless something else took it. A dialog
 * that is unmounted rather than closed would otherwise leave the keyboard nowhere.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(
    () => () => {
      // The focus trap has to let go first.
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
