import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Dialog } from '#/ui/Dialog';

/** Asks before typed changes are lost, whichever way one leaves. */
export function LeaveGuard({ dirty, what }: { dirty: boolean; what: string }) {
  const blocker = useBlocker(
    ({ currentLocation: now, nextLocation: next }) =>
      dirty &&
      (now.pathname !== next.pathname ||
        new URLSearchParams(now.search).get('open') !==
          new URLSearchParams(next.search).get('open')),
  );

  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);

  return (
    <Dialog
      opened={blocker.state === 'blocked'}
      title="Discard changes?"
      keep="Keep editing"
      confirm="Discard changes"
      danger
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <p>What you changed in {what} has not been saved and will be lost.</p>
    </Dialog>
  );
}
