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

/** A kept answer older than this says so. */
const OLD_MS = 3 * 60_000;

/** Says of when a kept answer is, once it is not of now any more. */
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

/** What was typed is in this page's memory only. */
export function NotSaved() {
  return (
    <p className={classes.notice} data-tone="danger" role="alert">
      NOT saved: this device is full. Keep this page open until it is sent, or free some room.
    </p>
  );
}
