import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Problem } from '#/api/problem';
import { addRecentChange, type NewChange } from './recentChanges';

/**
 * How long a toast stays, in milliseconds: 1.8 s; 2.5 s for an account that could not be changed
 * and for an import's summary. Longer texts use `lastingError`, undoable changes a recent change.
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

/** Explains a failure that cannot be shown in place; stays until closed. */
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

/** Says that something was not found, with a way to find it; stays for ten seconds, or until that way is taken. */
export function notFound(
  message: string,
  icon: ReactNode,
  way?: { label: string; open(): void },
): void {
  notifications.show({
    // Shown once, however often it happens.
    id: message,
    message: (
      <>
        <p>{message}</p>
        {way && (
          <Button
            size="compact-sm"
            variant="default"
            mt={6}
            onClick={() => {
              notifications.hide(message);
              way.open();
            }}
          >
            {way.label}
          </Button>
        )}
      </>
    ),
    position: 'top-center',
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': 'Close' },
    icon,
    color: 'red',
    role: 'alert',
    'data-reachable': true,
  });
}

/** The id prefix of lasting errors. */
export const LASTING_PREFIX = 'trouble:';

/**
 * Confirms an undoable change. «Undo» is beside the page's title, where it outlives the toast; it
 * reports its own outcome.
 */
export function undoable(change: NewChange): void {
  done(change.message);
  addRecentChange({
    ...change,
    undo: () =>
      change.undo().then(
        () => done(`Undone: ${lower(change.message)}`),
        (error: unknown) => lastingError(Problem.of(error).message),
      ),
  });
}

/** Lower-cases the first letter, but not of POS or UOM. */
function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
