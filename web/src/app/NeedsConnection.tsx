import { Button, Group } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useContext, useEffect, useState } from 'react';
import { can, type Me, MeContext } from '#/api/session';
import { cacheAll } from '#/offline/cache';
import { outsideShell, pages, to } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';

interface Way {
  label: string;
  href: string;
}

interface KeptTake {
  id: string;
  takeNo: string;
  status: string;
}

/** What of this user's work opens without a connection, but for stock-takes. */
function appsOf(me: Me): Way[] {
  const count = can(me, 'stores/storeCount');
  const ways: Way[] = [];
  if (count && can(me, 'apps/storeCount')) {
    ways.push({ label: 'Store count', href: outsideShell.storeCount });
  } else if (count) ways.push({ label: 'Store count', href: pages.storesCount.path });
  if (can(me, 'apps/branchOps')) {
    ways.push({ label: 'Branch operations', href: outsideShell.branchOps });
  }
  return ways;
}

/** Stock-takes being counted on this device. */
function useTakes(me: Me | null): Way[] {
  const [takes, setTakes] = useState<Way[]>([]);
  const uid = me && can(me, 'commissary/orders', 'edit') ? me.user.uid : null;
  useEffect(() => {
    if (uid === null) return;
    let over = false;
    void cacheAll<KeptTake>(uid, 'stockTake:').then((kept) => {
      const open = kept.map(([, take]) => take).filter(({ status }) => status === 'counting');
      const ways = open.map(({ id, takeNo }) => ({
        label: `Stock-take ${takeNo}`,
        href: to('commissaryStockTake', { id }),
      }));
      if (!over) setTakes(ways);
    });
    return () => {
      over = true;
    };
  }, [uid]);
  return takes;
}

/** Shown in place of pages that need the server while it is unreachable; leads to those that do not. */
export function NeedsConnection() {
  const me = useContext(MeContext);
  const takes = useTakes(me);
  const ways = me ? [...appsOf(me), ...takes] : [];
  return (
    <EmptyState
      page
      role="alert"
      icon={IconCloudOff}
      title="This page needs a connection"
      text={
        ways.length > 0
          ? 'What is named below works without one. Everything else opens again once the connection is back.'
          : 'It opens again once the connection is back.'
      }
      action={
        <Group gap="xs" justify="center">
          {ways.map(({ label, href }, i) => (
            <Button key={href} component="a" href={href} variant={i === 0 ? undefined : 'default'}>
              {label}
            </Button>
          ))}
          <Button variant="default" onClick={() => window.location.reload()}>
            Try again
          </Button>
        </Group>
      }
    />
  );
}
