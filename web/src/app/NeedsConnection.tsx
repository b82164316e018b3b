import { Button, Group } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { outsideShell } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';

/** Shown in place of pages that need the server while it is unreachable; names those that do not. */
export function NeedsConnection() {
  return (
    <EmptyState
      page
      role="alert"
      icon={IconCloudOff}
      title="This page needs a connection"
      text="Counting and branch operations work without one; everything else opens again once the connection is back."
      action={
        <Group gap="xs" justify="center">
          <Button component="a" href={outsideShell.storeCount}>
            Store count
          </Button>
          <Button variant="default" onClick={() => window.location.reload()}>
            Try again
          </Button>
        </Group>
      }
    />
  );
}
