// Connects the console with its offline parts: the remembered user, the service worker, the sending of counts.
import { useEffect, useSyncExternalStore } from 'react';
import { queries } from '#/api/queries';
import { reachability } from '#/api/reachability';
import { can, ME, type Me, refetchMe, setUserMemory } from '#/api/session';
import { forgetUser, lastUser, rememberUser } from '#/offline/lastUser';
import { registerWorker } from '#/offline/serviceWorker';
import { outsideShell } from '#/paths';
import { hasUnsavedInput } from './sessionEnd';

/** The part of the router that has the current address. */
interface RouterLocation {
  state: { location: { pathname: string } };
  subscribe(listener: () => void): () => void;
}

/** Call before rendering: lets the session remember the user, and registers the service worker. */
export function startOffline(): void {
  setUserMemory({
    keep(me) {
      const due = me.mustChangePassword || (me.totp.required && !me.totp.on);
      const works =
        me.apps.includes('storeCount') ||
        can(me, 'stores/storeCount') ||
        can(me, 'apps/branchOps') ||
        can(me, 'commissary/orders', 'edit');
      if (works && !due) void rememberUser(me);
      else void forgetUser();
    },
    recall: lastUser,
    forget: () => void forgetUser(),
  });
  if (import.meta.env.PROD)
    registerWorker({ wouldLose: hasUnsavedInput, reload: () => window.location.reload() });
}

/** Sends pending counts while a user is signed in, and fetches what the next count needs once an app is chosen. */
export function useOfflineWork(me: Me, open: boolean, router: RouterLocation): void {
  const { uid } = me.user;
  const counts = open && can(me, 'stores/storeCount');
  useEffect(() => {
    if (!counts) return;
    let stop = () => {};
    let over = false;
    // Failing to load this code is silent: the next start tries again.
    void import('#/features/stores/count/background')
      .then(({ startCountSync }) => {
        if (!over) stop = startCountSync(uid);
      })
      .catch(() => {});
    return () => {
      over = true;
      stop();
    };
  }, [uid, counts]);

  // Records from the branch app are sent from any page.
  const runsBranch = open && can(me, 'apps/branchOps');
  useEffect(() => {
    if (!runsBranch) return;
    let stop = () => {};
    let over = false;
    void import('#/features/branch-ops/background')
      .then(({ startBranchWork }) => {
        if (!over) stop = startBranchWork(uid);
      })
      .catch(() => {});
    return () => {
      over = true;
      stop();
    };
  }, [uid, runsBranch]);

  // So are numbers of stock-takes.
  const takesStock = open && can(me, 'commissary/orders', 'edit');
  useEffect(() => {
    if (!takesStock) return;
    let stop = () => {};
    let over = false;
    void import('#/features/commissary/stock-takes/takeQueue')
      .then(({ startSending }) => {
        if (!over) stop = startSending();
      })
      .catch(() => {});
    return () => {
      over = true;
      stop();
    };
  }, [takesStock]);

  // Nothing is fetched while the app is still being chosen.
  const chosen = useSyncExternalStore(
    router.subscribe,
    () => router.state.location.pathname !== outsideShell.home,
  );
  const warmUp = counts && chosen;
  useEffect(() => {
    if (!warmUp) return;
    let stop = () => {};
    let over = false;
    void import('#/features/stores/count/background')
      .then(({ startWarmUp }) => {
        if (!over) stop = startWarmUp(uid);
      })
      .catch(() => {});
    return () => {
      over = true;
      stop();
    };
  }, [uid, warmUp]);

  // When the server answers again, refetch what failed meanwhile.
  const remembered = me.remembered === true;
  useEffect(() => {
    if (!remembered) refetchFailed();
  }, [remembered]);
  useEffect(
    () =>
      reachability.onBack(() => {
        if (remembered) void refetchMe().catch(() => {});
        refetchFailed();
      }),
    [remembered],
  );
}

function refetchFailed(): void {
  void queries.invalidateQueries({
    predicate: ({ queryKey, state }) => queryKey[0] !== ME[0] && state.status === 'error',
  });
}
