import { Button, Group } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { outside } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';

/** For what cannot be shown without the server; it says what can. */
export function NeedsConnection() {
  return (
    <EmptyState
      page
      role="alert"
      icon={IconCloudOff}
      title="This page needs a connection"
      text="Counting works without one; everything else opens again once the connection is back."
      action={
        <Group gap="xs" justify="center">
          <Button component="a" href={outside.storeCount}>
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
