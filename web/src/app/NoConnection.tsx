import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { EmptyState } from '#/ui/EmptyState';

interface Props {
  asking: boolean;
  retry(): void;
}

/** Shown at a start without a server, on a device that remembers no user. */
export function NoConnection({ asking, retry }: Props) {
  const back = useEffectEvent(retry);
  useEffect(() => {
    const again = () => back();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
  return (
    <EmptyState
      page
      role="alert"
      icon={IconCloudOff}
      title="No connection"
      text="The server can’t be reached from here. Larder opens by itself once it answers; counts saved on this device stay on it."
      action={
        <Button loading={asking} onClick={retry}>
          Try again
        </Button>
      }
    />
  );
}
