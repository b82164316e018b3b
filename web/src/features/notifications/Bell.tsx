import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { plural } from '#/ui/format';
import { useNotifications } from './api';
import classes from './Bell.module.css';
import { List } from './List';
import { SettingsForm } from './SettingsForm';

/** Higher counts are shown as «99+». */
const MOST = 99;

/** Tasks, in the top bar. */
export default function Bell({ className }: { className?: string }) {
  const { data, error, refetch } = useNotifications();
  const [opened, setOpened] = useState(false);
  const [view, setView] = useState<'list' | 'settings' | 'returned'>('list');
  const { pathname } = useLocation();
  const unread = data?.unread ?? 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the panel
  useEffect(() => setOpened(false), [pathname]);

  function change(to: boolean): void {
    setOpened(to);
    if (to) setView('list');
  }

  return (
    <Popover opened={opened} onChange={change} position="bottom-end" width={400} trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={`${className ?? ''} ${classes.bell}`}
          aria-label={unread > 0 ? `Notifications, ${plural(unread, 'new one')}` : 'Notifications'}
          title="Notifications"
          onClick={() => change(!opened)}
        >
          <IconBell size={20} stroke={1.6} />
          {unread > 0 && (
            <span className={classes.badge} aria-hidden>
              {unread > MOST ? `${MOST}+` : unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label="Notifications">
        {view === 'settings' ? (
          <SettingsForm onBack={() => setView('returned')} />
        ) : (
          <List
            found={data}
            error={error}
            returned={view === 'returned'}
            onRetry={() => void refetch()}
            onSettings={() => setView('settings')}
            onLeave={() => setOpened(false)}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
