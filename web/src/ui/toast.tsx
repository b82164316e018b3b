import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconX } from '@tabler/icons-react';

/**
 * How long a toast stays, in milliseconds: 1.8 s; 2.5 s where an account could not be changed, and for the summary of
 * an import. What has to be read for longer is no toast, but `trouble`.
 */
export type ToastDuration = 1800 | 2500;

/** Confirms that something was done. */
export function done(message: string, stays: ToastDuration = 1800): void {
  notifications.show({
    message,
    autoClose: stays,
    withCloseButton: false,
    icon: <IconCheck size={16} aria-hidden />,
    color: 'teal',
  });
}

/** Reports a failure in a few words. */
export function failed(message: string, stays: ToastDuration = 1800): void {
  notifications.show({
    message,
    autoClose: stays,
    withCloseButton: false,
    icon: <IconX size={16} aria-hidden />,
    color: 'red',
    role: 'alert',
  });
}

/** Explains a failure that cannot be shown in place; stays until it is closed. */
export function lastingError(message: string): void {
  notifications.show({
    // Shown once, however often it happens.
    id: LASTING_PREFIX + message,
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

/** The id prefix of lasting errors. */
export const LASTING_PREFIX = 'trouble:';

/** Confirms with an «Undo» button; stays longer because the user has to decide. */
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
