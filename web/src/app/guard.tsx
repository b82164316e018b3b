import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useCan, useMe } from '#/api/session';
import { EmptyState } from '#/ui/EmptyState';
import { NeedsConnection } from './NeedsConnection';

/** Avoids flashing a refusal when the permission arrives a moment late. */
export const NOT_AUTHORIZED_DELAY_MS = 400;

interface Props {
  permission: string | undefined;
  /** The page also works for a remembered user while the server is unreachable. */
  offline?: boolean;
  children: ReactNode;
}

/** Shows a page to users who may view it, and a refusal to others. */
export function Guard({ permission, offline, children }: Props) {
  const { remembered } = useMe();
  const permitted = useCan(permission);
  if (remembered && !offline) return <NeedsConnection />;
  return permitted ? children : <NotAuthorized />;
}

function NotAuthorized() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), NOT_AUTHORIZED_DELAY_MS);
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
