// Where the console and what works without a network meet.
import { useEffect, useSyncExternalStore } from 'react';
import { queries } from '#/api/queries';
import { reach } from '#/api/reach';
import { can, lookAgain, ME, type Me, rememberBy } from '#/api/session';
import { registerWorker } from '#/offline/register';
import { forgetWho, remember, whoWasHere } from '#/offline/vault';
import { outside } from '#/paths';
import { wouldLose } from './departure';

/** Of the router: where somebody is, and when that changes. */
interface Whereabouts {
  state: { location: { pathname: string } };
  subscribe(hear: () => void): () => void;
}

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

/**
 * For as long as somebody is signed in what waits is sent; once they have chosen where to work, what they will need
 * there is fetched.
 */
export function useOfflineWork(me: Me, open: boolean, router: Whereabouts): void {
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

  // Nothing is loaded for whoever still chooses.
  const chosen = useSyncExternalStore(
    router.subscribe,
    () => router.state.location.pathname !== outside.home,
  );
  const warms = counts && chosen;
  useEffect(() => {
    if (!warms) return;
    let stop = () => {};
    let over = false;
    void import('#/features/stores/count/start')
      .then(({ startWarmUp }) => {
        if (!over) stop = startWarmUp(uid);
      })
      .catch(() => {});
    return () => {
      over = true;
      stop();
    };
  }, [uid, warms]);

  // The server answers again: what was shown from memory is asked for.
  const kept = me.kept === true;
  useEffect(() => {
    if (!kept) askAnew();
  }, [kept]);
  useEffect(
    () =>
      reach.onFound(() => {
        if (kept) void lookAgain().catch(() => {});
        askAnew();
      }),
    [kept],
  );
}

/** Asks again for whatever could not be answered. */
function askAnew(): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey, state }) => queryKey[0] !== ME[0] && state.status === 'error',
  });
}
