import { ActionIcon, Button } from '@mantine/core';
import { IconBellZ, IconCheck, IconSettings } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { EmptyState } from '#/ui/EmptyState';
import { moment, money } from '#/ui/format';
import { markAllRead, markRead, type Notification, type Notifications } from './api';
import classes from './Bell.module.css';

interface Props {
  found: Notifications | undefined;
  error: unknown;
  /** The user came back from the settings. */
  returned: boolean;
  onRetry(): void;
  onSettings(): void;
  /** The user follows a link. */
  onLeave(): void;
}

/** The tasks, new ones first. */
export function List({ found, error, returned, onRetry, onSettings, onLeave }: Props) {
  const settings = useRef<HTMLButtonElement>(null);
  // The button that led back here is gone, and with it the focus.
  useEffect(() => {
    if (returned) settings.current?.focus();
  }, [returned]);
  return (
    <>
      <div className={classes.head}>
        <h2>Notifications</h2>
        {found && found.unread > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => void markAllRead(found.at).catch(() => {})}
          >
            Mark all as read
          </Button>
        )}
        <ActionIcon
          ref={settings}
          variant="subtle"
          color="gray"
          aria-label="Notification settings"
          title="Settings"
          onClick={onSettings}
        >
          <IconSettings size={18} stroke={1.6} />
        </ActionIcon>
      </div>
      {found && found.failed.length > 0 && (
        <p className={classes.trouble} role="status">
          Could not be read just now: {found.failed.join(', ')}.
        </p>
      )}
      {!found ? (
        error ? (
          <EmptyState
            compact
            role="alert"
            icon={IconBellZ}
            title="This cannot be shown now"
            text={Problem.of(error).message}
            action={
              <Button variant="default" size="xs" onClick={onRetry}>
                Try again
              </Button>
            }
          />
        ) : (
          <p className={classes.trouble}>Loading…</p>
        )
      ) : found.items.length === 0 ? (
        <EmptyState compact icon={IconBellZ} title="No notifications" />
      ) : (
        <ul className={classes.list}>
          {found.items.map((one) => (
            <Row key={`${one.kind} ${one.id}`} one={one} onLeave={onLeave} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ one, onLeave }: { one: Notification; onLeave(): void }) {
  return (
    <li className={classes.row} data-read={one.read || undefined}>
      <Link
        to={one.href}
        className={classes.link}
        onClick={() => {
          onLeave();
          if (!one.read) void markRead(one).catch(() => {});
        }}
      >
        <span className={classes.kind}>
          {!one.read && <span className={classes.dot} role="img" aria-label="New" />}
          {one.kindTitle}
          {one.late && (
            <span className={classes.late} data-urgent={one.urgent || undefined}>
              late
            </span>
          )}
        </span>
        <strong>
          {one.title}
          {one.amount != null && <span className={classes.amount}>{money(one.amount)}</span>}
        </strong>
        <span className={classes.text}>{one.text}</span>
        <span className={classes.at}>since {moment(one.at)}</span>
      </Link>
      {!one.read && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Mark «${one.title}» as read`}
          title="Mark as read"
          onClick={() => void markRead(one).catch(() => {})}
        >
          <IconCheck size={16} stroke={1.8} />
        </ActionIcon>
      )}
    </li>
  );
}
