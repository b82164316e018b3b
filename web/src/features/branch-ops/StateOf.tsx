import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react';
import { Problem } from '#/api/problem';
import { isUnreachable } from '#/api/session';
import { today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { day, moment } from '#/ui/format';
import classes from './Screen.module.css';

/** Why a screen has nothing to show, with a retry. */
export function Unreadable({ error, retry }: { error: unknown; retry(): void }) {
  const away = isUnreachable(error);
  return (
    <EmptyState
      role="alert"
      icon={away ? IconCloudOff : IconAlertTriangle}
      title={away ? 'This is not on this device yet' : 'This could not be opened'}
      text={
        away
          ? 'Open it once with a connection; after that it also works without one.'
          : Problem.of(error).message
      }
      action={
        <Button variant="default" size="md" onClick={retry}>
          Try again
        </Button>
      }
    />
  );
}

/** An older cached answer shows its age. */
const OLD_MS = 3 * 60_000;

/** Shows the age of a cached answer, once it is old. */
export function AsOf({ at, now = Date.now() }: { at: string; now?: number }) {
  if (now - Date.parse(at) < OLD_MS) return null;
  const [date = '', clock = ''] = moment(at).split(', ');
  const same = date === day(today(new Date(now)));
  return (
    <p role="status" className={classes.notice} data-tone="neutral">
      As of {same ? clock : `${date}, ${clock}`}. It is refreshed once there is a connection.
    </p>
  );
}

/** Warns that input is only in this page's memory. */
export function NotSaved() {
  return (
    <p className={classes.notice} data-tone="danger" role="alert">
      NOT saved: this device is full. Keep this page open until it is sent, or free some room.
    </p>
  );
}
