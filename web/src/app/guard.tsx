import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { EmptyState } from '#/ui/EmptyState';

/** Long enough that a permission arriving a moment late does not flash a refusal. */
export const NOT_AUTHORIZED_DELAY = 400;

interface Props {
  permission: string | undefined;
  children: ReactNode;
}

/** Shows a page to those who may view it, and says so to the others. */
export function Guard({ permission, children }: Props) {
  return useCan(permission) ? children : <NotAuthorized />;
}

function NotAuthorized() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), NOT_AUTHORIZED_DELAY);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <EmptyState
      role="alert"
      page
      icon={IconLock}
      title="Not Authorized"
      text="You don't have access to this page."
      action={
        <Button variant="default" component={Link} to="/">
          Back to start
        </Button>
      }
    />
  );
}
