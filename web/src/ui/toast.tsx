import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconX } from '@tabler/icons-react';

/** Confirms that something was done. */
export function done(message: string, duration = 1800): void {
  notifications.show({
    message,
    autoClose: duration,
    withCloseButton: false,
    icon: <IconCheck size={16} aria-hidden />,
    color: 'teal',
  });
}

/** Says that something failed which has no place of its own on the screen. */
export function failed(message: string, duration = 2500): void {
  notifications.show({
    message,
    autoClose: duration,
    closeButtonProps: { 'aria-label': 'Close' },
    icon: <IconX size={16} aria-hidden />,
    color: 'red',
    role: 'alert',
  });
}

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
