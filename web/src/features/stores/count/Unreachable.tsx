import { Button } from '@mantine/core';
import { IconBuildingOff, IconCloudOff } from '@tabler/icons-react';
import { Problem } from '#/api/problem';
import { EmptyState } from '#/ui/EmptyState';
import { isOutOfReach } from './api';

/** Shown when the items cannot be loaded: why, and a retry. */
export function Unreachable({ error, retry }: { error: unknown; retry(): void }) {
  const away = isOutOfReach(error);
  return (
    <EmptyState
      page
      role="alert"
      icon={away ? IconCloudOff : IconBuildingOff}
      title={away ? 'This store is not on this device yet' : 'The count could not be opened'}
      text={
        away
          ? 'Open it once with a connection; after that it also works without one.'
          : Problem.of(error).message
      }
      action={
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      }
    />
  );
}
