import { lazy, Suspense, useEffect } from 'react';
import type { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { watch } from '#/api/client';
import { useLive } from '#/api/live';
import { queries } from '#/api/queries';
import { ME, useMe } from '#/api/session';
import { syncSession } from '#/api/sessionSync';
import { LoadingOverlay } from '#/ui/LoadingOverlay';
import { Doubt } from './Doubt';
import { lost } from './departure';
import { Leaving } from './Leaving';
import { useOfflineWork } from './offline';

const Gate = lazy(() => import('./outside/Gate'));

/** What is asked of somebody before anything else opens. */
export type Due = 'password' | 'totp' | null;

export function SignedIn({ router }: { router: ReturnType<typeof createBrowserRouter> }) {
  const me = useMe();
  const due: Due = me.mustChangePassword
    ? 'password'
    : me.totp.required && !me.totp.on
      ? 'totp'
      : null;
  // The server tells nothing to somebody who has to do something first.
  useLive(lost, due === null);
  useOfflineWork(me, due === null, router);

  const { sessionSync, kept, user } = me;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every person
  useEffect(() => {
    if (due === null && !kept) void syncSession('POST', sessionSync);
  }, [due, kept, sessionSync, user.uid]);

  useEffect(() => {
    const held = () => void queries.invalidateQueries({ queryKey: ME });
    watch({ signedOut: lost, held });
    return () => watch({ signedOut() {}, held() {} });
  }, []);

  return (
    <>
      {due ? (
        <Suspense fallback={<LoadingOverlay />}>
          <Gate due={due} />
        </Suspense>
      ) : (
        <RouterProvider router={router} />
      )}
      <Doubt />
      <Leaving />
    </>
  );
}
