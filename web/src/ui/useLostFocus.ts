import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Takes focus on mount if no element has it: the step before took its own button away. The page does not scroll. `find`
 * chooses an element within the one of `within`; by default it is that element itself.
 */
export function useLostFocus(
  within: RefObject<HTMLElement | null>,
  find: (root: HTMLElement) => HTMLElement | null = (root) => root,
): void {
  const take = useEffectEvent(() => {
    const { activeElement, body } = document;
    const root = within.current;
    if (!root || (activeElement && activeElement !== body)) return;
    find(root)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    take();
  }, []);
}
