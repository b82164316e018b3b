import { type RefObject, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Dialog } from '#/ui/Dialog';

interface Props {
  dirty: boolean;
  what: string;
  /** Set once everything is saved: leaving right then comes before the next render tells `dirty`. */
  saved?: RefObject<boolean>;
}

/** Asks before typed changes are lost, whichever way one leaves. */
export function LeaveGuard({ dirty, what, saved }: Props) {
  const blocker = useBlocker(
    ({ currentLocation: now, nextLocation: next }) =>
      dirty &&
      !saved?.current &&
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
