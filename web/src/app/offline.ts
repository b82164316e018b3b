// Where the console and what works without a network meet.
import { useEffect } from 'react';
import { queries } from '#/api/queries';
import { can, ME, type Me, rememberBy } from '#/api/session';
import { registerWorker } from '#/offline/register';
import { forgetWho, remember, whoWasHere } from '#/offline/vault';
import { wouldLose } from './departure';

/** Before anything is drawn: who was here, and the code for the next start. */
export function startOffline(): void {
  rememberBy({
    keep(me) {
      const due = me.mustChangePassword || (me.totp.required && !me.totp.on);
      const counts = me.apps.includes('storeCount') || can(me, 'stores/storeCount');
      if (counts && !due) void remember(me);
      else void forgetWho();
    },
    recall: whoWasHere,
    forget: () => void forgetWho(),
  });
  if (import.meta.env.PROD) registerWorker({ wouldLose, reload: () => window.location.reload() });
}

/** For as long as somebody is signed in: what waits is sent, what they will need is fetched. */
export function useOfflineWork(me: Me, open: boolean): void {
  const { uid } = me.user;
  const counts = open && can(me, 'stores/storeCount');
  useEffect(() => {
    if (!counts) return;
    let stop = () => {};
    let over = false;
    // Failing at this is silent: everything is tried again.
    void import('#/features/stores/count/start')
      .then(({ startCounting }) => {
        if (!over) stop = startCounting(uid);
      })
      .catch(() => {});
    return () => {
      over = true;
      stop();
    };
  }, [uid, counts]);

  // The server answers again: what was shown from memory is asked for.
  const kept = me.kept === true;
  useEffect(() => {
    if (kept) return;
    void queries.invalidateQueries({
      predicate: ({ queryKey, state }) => queryKey[0] !== ME[0] && state.status === 'error',
    });
  }, [kept]);
}
