import { useRef } from 'react';

/**
 * A record that leaves its table by somebody else's change stays in the drawer that shows it, and with
 * it what is being typed there.
 */
export function useLastKnown<T extends { id: string }>(
  id: string,
  now: T | undefined,
): T | undefined {
  const last = useRef<T>(undefined);
  if (now) last.current = now;
  return now ?? (last.current?.id === id ? last.current : undefined);
}
