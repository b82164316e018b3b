import { Activity, useEffect, useState } from 'react';
import type { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { queries } from '#/api/queries';
import {
  isUnreachable,
  type Me,
  MeContext,
  onSessionMessage,
  prefetchSession,
  refetchMe,
  useSession,
} from '#/api/session';
import { LoadingOverlay } from '#/ui/LoadingOverlay';
import { Crash } from './Crash';
import { NoConnection } from './NoConnection';
import { reloadForNewVersion } from './newVersion';
import { startOffline } from './offline';
import { prefetchLinks } from './prefetchLinks';
import { prefetchRoute, signedInRouter, signedOutRouter } from './router';
import { SignedIn } from './SignedIn';
import {
  discardSession,
  hasUnsavedInput,
  lastSessionEnd,
  resumeSession,
  sessionLost,
} from './sessionEnd';

type Router = ReturnType<typeof createBrowserRouter>;

interface SignedInRouter {
  uid: string;
  router: Router;
}

/** How long a screen with unsaved input is kept after its session ended. */
const KEEP_UNSAVED_MS = 30 * 60_000;

reloadForNewVersion(hasUnsavedInput);
startOffline();
prefetchSession();
prefetchRoute(location.pathname);
prefetchLinks(document);

export function App() {
  const { data: me, isPending, isFetching, error, refetch } = useSession();
  const known = !isPending && me !== undefined;
  // The error stays on screen during a retry.
  const [failed, setFailed] = useState(error);
  if (error && error !== failed) setFailed(error);

  useEffect(
    () =>
      onSessionMessage((word) => {
        if (word === 'left') sessionLost();
        else void refetchMe().catch(() => {});
      }),
    [],
  );

  if (failed && !known) {
    const again = () => void refetch();
    return (
      <main>
        {isUnreachable(failed) ? (
          <NoConnection asking={isFetching} retry={again} />
        ) : (
          <Crash error={failed} retry={again} />
        )}
      </main>
    );
  }
  if (!known) return <LoadingOverlay />;
  return <Routers me={me} />;
}

/**
 * Signed in and signed out have routers of their own. When a session ends while its user is typing, the
 * screen is only hidden, so that they can go on after signing in again.
 */
function Routers({ me }: { me: Me | null }) {
  const uid = me?.user.uid ?? null;
  const [signedIn, setSignedIn] = useState<SignedInRouter | null>(null);
  const [signedOut, setSignedOut] = useState<Router | null>(null);
  const [last, setLast] = useState(me);
  if (me && me !== last) setLast(me);

  useEffect(() => {
    if (uid !== null) return;
    const router = signedOutRouter();
    setSignedOut(router);
    return () => {
      router.dispose();
      setSignedOut(null);
    };
  }, [uid]);

  // One router per user; it outlives the session only to keep unsaved input.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of user matters
  useEffect(() => {
    if (uid === null) {
      if (lastSessionEnd()?.unsaved) {
        const timer = setTimeout(() => {
          discardSession();
          setSignedIn(null);
        }, KEEP_UNSAVED_MS);
        return () => clearTimeout(timer);
      }
      setSignedIn(null);
      return;
    }
    resumeSession(uid);
    if (signedIn?.uid !== uid) setSignedIn({ uid, router: signedInRouter() });
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
  }, [uid]);
  useEffect(() => () => signedIn?.router.dispose(), [signedIn]);

  const shown = uid !== null && signedIn?.uid === uid;
  return (
    <>
      {signedIn && last && (
        <Activity mode={shown ? 'visible' : 'hidden'} key={signedIn.uid}>
          <MeContext value={shown ? me : last}>
            <SignedIn router={signedIn.router} />
          </MeContext>
        </Activity>
      )}
      {uid === null && signedOut && <RouterProvider router={signedOut} />}
      {!(shown || (uid === null && signedOut)) && <LoadingOverlay />}
    </>
  );
}
