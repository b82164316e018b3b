import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconX } from '@tabler/icons-react';

/**
 * How long a toast stays, in milliseconds: 1.8 s; 2.5 s where an account could not be changed, and for the summary of
 * an import. What has to be read for longer is no toast, but `trouble`.
 */
export type Stays = 1800 | 2500;

/** Confirms that something was done. */
export function done(message: string, stays: Stays = 1800): void {
  notifications.show({
    message,
    autoClose: stays,
    withCloseButton: false,
    icon: <IconCheck size={16} aria-hidden />,
    color: 'teal',
  });
}

/** Says in a few words that something failed; what to do about it stands elsewhere, or is plain. */
export function failed(message: string, stays: Stays = 1800): void {
  notifications.show({
    message,
    autoClose: stays,
    withCloseButton: false,
    icon: <IconX size={16} aria-hidden />,
    color: 'red',
    role: 'alert',
  });
}

/** Says why something failed that has no place of its own on the screen; stays until it is read and closed. */
export function trouble(message: string): void {
  notifications.show({
    // Said once, however often it is tried.
    id: TROUBLE + message,
    message,
    position: 'top-center',
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Close' },
    icon: <IconX size={16} aria-hidden />,
    color: 'red',
    role: 'alert',
    'data-reachable': true,
  });
}

/** What the names of messages begin with that stay until they are closed. */
export const TROUBLE = 'trouble:';

/** Confirms, and offers to take it back; stays longer because it asks something of the reader. */
export function undoable(message: string, undo: () => void): void {
  const id = crypto.randomUUID();
  notifications.show({
    id,
    autoClose: 7000,
    withCloseButton: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
