import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useCan, useMe } from '#/api/session';
import { EmptyState } from '#/ui/EmptyState';
import { NeedsConnection } from './NeedsConnection';

/** Long enough that a permission arriving a moment late does not flash a refusal. */
export const NOT_AUTHORIZED_DELAY = 400;

/** What works for somebody who is only known from an earlier start. */
const WITHOUT: ReadonlySet<string> = new Set(['stores/storeCount', 'apps/storeCount']);

interface Props {
  permission: string | undefined;
  children: ReactNode;
}

/** Shows a page to those who may view it, and says so to the others. */
export function Guard({ permission, children }: Props) {
  const { kept } = useMe();
  const permitted = useCan(permission);
  if (kept && !WITHOUT.has(permission ?? '')) return <NeedsConnection />;
  return permitted ? children : <NotAuthorized />;
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
