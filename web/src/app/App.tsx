import { useEffect, useState } from 'react';
import type { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { onSignedOut } from '#/api/client';
import { forget, MeContext, useSession } from '#/api/session';
import { LoadingOverlay } from '#/ui/LoadingOverlay';
import { Crash } from './Crash';
import { signedInRouter, signedOutRouter } from './router';

interface Routing {
  signedIn: boolean;
  router: ReturnType<typeof createBrowserRouter>;
}

/** Signed in and signed out are two products with two sets of addresses. */
export function App() {
  const { data: me, isPending, error, refetch } = useSession();
  const known = !isPending && me !== undefined;
  const signedIn = Boolean(me);
  const [routing, setRouting] = useState<Routing | null>(null);

  useEffect(() => onSignedOut(forget), []);

  useEffect(() => {
    if (!known) return;
    const router = signedIn ? signedInRouter() : signedOutRouter();
    setRouting({ signedIn, router });
    return () => router.dispose();
  }, [known, signedIn]);

  if (error && !known) return <Crash error={error} retry={() => void refetch()} />;
  // The routes of the other state are never shown, not even for one frame.
  if (!known || routing?.signedIn !== signedIn) return <LoadingOverlay />;
  return (
    <MeContext value={me}>
      <RouterProvider router={routing.router} key={signedIn ? 'in' : 'out'} />
    </MeContext>
  );
}
