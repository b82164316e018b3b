import { type RefObject, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Dialog } from '#/ui/Dialog';

interface Props {
  dirty: boolean;
  what: string;
  /** Set after saving: navigation right then comes before `dirty` is rendered as false. */
  saved?: RefObject<boolean>;
}

/** Asks before unsaved changes are lost, by navigation, reload or closing. */
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
