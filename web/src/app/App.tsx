import { Activity, useEffect, useState } from 'react';
import type { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { queries } from '#/api/queries';
import {
  askEarly,
  isAway,
  lookAgain,
  type Me,
  MeContext,
  onOtherTab,
  useSession,
} from '#/api/session';
import { LoadingOverlay } from '#/ui/LoadingOverlay';
import { Crash } from './Crash';
import { arrive, departure, giveUp, lost, wouldLose } from './departure';
import { NoConnection } from './NoConnection';
import { takeNewVersions } from './newVersion';
import { startOffline } from './offline';
import { fetchAhead, signedInRouter, signedOutRouter } from './router';
import { SignedIn } from './SignedIn';

type Router = ReturnType<typeof createBrowserRouter>;

interface Inside {
  uid: string;
  router: Router;
}

/** How long a screen with something typed waits for its owner to sign in again. */
const KEPT_MS = 30 * 60_000;

takeNewVersions(wouldLose);
startOffline();
askEarly();
fetchAhead(location.pathname);

export function App() {
  const { data: me, isPending, isFetching, error, refetch } = useSession();
  const known = !isPending && me !== undefined;
  // While it is asked once more, the screen that said why stays.
  const [failed, setFailed] = useState(error);
  if (error && error !== failed) setFailed(error);

  useEffect(
    () =>
      onOtherTab((word) => {
        if (word === 'left') lost();
        else void lookAgain().catch(() => {});
      }),
    [],
  );

  if (failed && !known) {
    const again = () => void refetch();
    return (
      <main>
        {isAway(failed) ? (
          <NoConnection asking={isFetching} retry={again} />
        ) : (
          <Crash error={failed} retry={again} />
        )}
      </main>
    );
  }
  if (!known) return <LoadingOverlay />;
  return <Frames me={me} />;
}

/**
 * Signed in and signed out are two products with two sets of addresses. When a session ends under
 * somebody's hands while they type, their screen is only put out of sight.
 */
function Frames({ me }: { me: Me | null }) {
  const uid = me?.user.uid ?? null;
  const [inside, setInside] = useState<Inside | null>(null);
  const [outside, setOutside] = useState<Router | null>(null);
  const [last, setLast] = useState(me);
  if (me && me !== last) setLast(me);

  useEffect(() => {
    if (uid !== null) return;
    const router = signedOutRouter();
    setOutside(router);
    return () => {
      router.dispose();
      setOutside(null);
    };
  }, [uid]);

  // One router a person; it outlives the session only for what was typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of person matters
  useEffect(() => {
    if (uid === null) {
      if (departure()?.typed) {
        const timer = setTimeout(() => {
          giveUp();
          setInside(null);
        }, KEPT_MS);
        return () => clearTimeout(timer);
      }
      setInside(null);
      return;
    }
    arrive(uid);
    if (inside?.uid !== uid) setInside({ uid, router: signedInRouter() });
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
  }, [uid]);
  useEffect(() => () => inside?.router.dispose(), [inside]);

  const shown = uid !== null && inside?.uid === uid;
  return (
    <>
      {inside && last && (
        <Activity mode={shown ? 'visible' : 'hidden'} key={inside.uid}>
          <MeContext value={shown ? me : last}>
            <SignedIn router={inside.router} />
          </MeContext>
        </Activity>
      )}
      {uid === null && outside && <RouterProvider router={outside} />}
      {!(shown || (uid === null && outside)) && <LoadingOverlay />}
    </>
  );
}
