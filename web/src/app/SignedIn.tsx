import { lazy, Suspense, useEffect } from 'react';
import type { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { setHandlers } from '#/api/client';
import { useLive } from '#/api/live';
import { queries } from '#/api/queries';
import { ME, useMe } from '#/api/session';
import { syncSession } from '#/api/sessionSync';
import { LoadingOverlay } from '#/ui/LoadingOverlay';
import { forgetRecentChanges } from '#/ui/recentChanges';
import { useOfflineWork } from './offline';
import { ReauthenticateHost } from './ReauthenticateHost';
import { SignOutPrompt } from './SignOutPrompt';
import { sessionLost } from './sessionEnd';

const Gate = lazy(() => import('./signed-out/Gate'));

/** What the user must set up before anything else opens. */
export type RequiredStep = 'password' | 'totp' | null;

export function SignedIn({ router }: { router: ReturnType<typeof createBrowserRouter> }) {
  const me = useMe();
  const required: RequiredStep = me.mustChangePassword
    ? 'password'
    : me.totp.required && !me.totp.on
      ? 'totp'
      : null;
  // The server refuses live events until the required step is done.
  useLive(sessionLost, required === null);
  useOfflineWork(me, required === null, router);

  // Another user may sign in next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per user
  useEffect(() => forgetRecentChanges, [me.user.uid]);

  const { sessionSync, remembered, user } = me;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per user
  useEffect(() => {
    if (required === null && !remembered) void syncSession('POST', sessionSync);
  }, [required, remembered, sessionSync, user.uid]);

  useEffect(() => {
    const stepRequired = () => void queries.invalidateQueries({ queryKey: ME });
    setHandlers({ signedOut: sessionLost, stepRequired });
    return () => setHandlers({ signedOut() {}, stepRequired() {} });
  }, []);

  return (
    <>
      {required ? (
        <Suspense fallback={<LoadingOverlay />}>
          <Gate required={required} />
        </Suspense>
      ) : (
        <RouterProvider router={router} />
      )}
      <ReauthenticateHost />
      <SignOutPrompt />
    </>
  );
}
