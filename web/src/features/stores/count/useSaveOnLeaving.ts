import { useEffect, useRef } from 'react';
import { onCommit } from '#/offline/commit';
import type { CountModel } from './countModel';
import type { Typed } from './useTyped';

/** Saves what is typed when the page is closed or hidden, or when other code asks for it. */
export function useSaveOnLeaving(
  book: CountModel,
  itemId: string,
  { wanted, saved }: Typed,
  commit: () => Promise<void>,
): void {
  const latest = useRef({ commit, wanted, saved });
  latest.current = { commit, wanted, saved };
  useEffect(() => {
    const hide = () => {
      const value = latest.current.wanted();
      if (!value) return;
      latest.current.saved();
      book.countNow(itemId, value.qty);
    };
    const away = () => document.visibilityState === 'hidden' && void latest.current.commit();
    window.addEventListener('pagehide', hide);
    document.addEventListener('visibilitychange', away);
    const off = onCommit(() => latest.current.commit());
    return () => {
      window.removeEventListener('pagehide', hide);
      document.removeEventListener('visibilitychange', away);
      off();
    };
  }, [book, itemId]);
}
