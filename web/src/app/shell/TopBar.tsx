import { ActionIcon, Button } from '@mantine/core';
import { IconHelp, IconPlus, IconSearch, IconSettings } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { useMe } from '#/api/session';
import { outsideShell } from '#/paths';
import { Kbd } from '#/ui/Kbd';
import { Connection } from './Connection';
import { MenuPanel } from './MenuPanel';
import { quickCreate, settings } from './menus';
import { Profile } from './Profile';
import { useSearchIcon } from './searchIcon';
import classes from './TopBar.module.css';

// Offline its code may be missing: the page goes without it until it is reloaded.
const Bell = lazy(() => import('#/features/notifications/Bell').catch(() => ({ default: NoBell })));

function NoBell({ className }: { className?: string }) {
  return <span className={className} />;
}

interface Props {
  searchable: boolean;
  onSearch(): void;
  onHelp(): void;
}

export function TopBar({ searchable, onSearch, onHelp }: Props) {
  const me = useMe();
  const icon = useSearchIcon();
  return (
    <header className={classes.bar}>
      <Link to={outsideShell.home} className={classes.label}>
        {me.company.appLabel}
      </Link>
      <div className={classes.middle}>
        {searchable && icon && (
          <button type="button" className={classes.search} onClick={onSearch}>
            <IconSearch size={16} stroke={1.8} aria-hidden />
            <span className={classes.hint}>Search or jump to…</span>
            <span aria-hidden>
              <Kbd>Ctrl K</Kbd>
            </span>
          </button>
        )}
      </div>
      <div className={classes.tools}>
        <Connection />
        <MenuPanel
          title="New"
          groups={quickCreate}
          target={(props) => (
            <Button
              {...props}
              variant="light"
              size="xs"
              className={classes.create}
              leftSection={<IconPlus size={16} aria-hidden />}
              aria-label="New"
            >
              <span className={classes.createText}>New</span>
            </Button>
          )}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={`${classes.icon} ${classes.help}`}
          aria-label="Help"
          title="Help for this page (?)"
          onClick={onHelp}
        >
          <IconHelp size={20} stroke={1.6} />
        </ActionIcon>
        <MenuPanel
          title="Settings"
          groups={settings}
          target={(props) => (
            <ActionIcon
              {...props}
              variant="subtle"
              color="gray"
              size="lg"
              className={classes.icon}
              aria-label="Settings"
            >
              <IconSettings size={20} stroke={1.6} />
            </ActionIcon>
          )}
        />
        <Suspense fallback={<span className={classes.icon} />}>
          <Bell className={classes.icon} />
        </Suspense>
        <Profile search onHelp={onHelp} />
      </div>
    </header>
  );
}
