import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBarcodeOff } from '@tabler/icons-react';

const STAYS_MS = 10_000;

/** Says that a scanned code is unknown here, and offers to find what it is on by name. */
export function unknownCode(code: string, search?: { label: string; open(): void }): void {
  const id = `scanned:${code}`;
  notifications.show({
    // Shown once, however often it is scanned.
    id,
    message: (
      <>
        <p>Nothing here has the code {code}.</p>
        {search && (
          <Button
            size="compact-sm"
            variant="default"
            mt={6}
            onClick={() => {
              notifications.hide(id);
              search.open();
            }}
          >
            {search.label}
          </Button>
        )}
      </>
    ),
    position: 'top-center',
    autoClose: STAYS_MS,
    closeButtonProps: { 'aria-label': 'Close' },
    icon: <IconBarcodeOff size={16} aria-hidden />,
    color: 'red',
    role: 'alert',
    'data-reachable': true,
  });
}
