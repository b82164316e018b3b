import { Button, UnstyledButton } from '@mantine/core';
import {
  IconBuildingStore,
  IconClipboardCheck,
  IconLayoutDashboard,
  IconMoodEmpty,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, Navigate } from 'react-router';
import { type Me, useMe } from '#/api/session';
import { outsideShell } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { DOT } from '#/ui/format';
import textClasses from '#/ui/Text.module.css';
import { firstPage } from '../access';
import { confirmAndSignOut } from '../signOutFlow';
import { Brand } from './Brand';
import classes from './signedOut.module.css';

const APPS = [
  {
    key: 'backOffice',
    name: 'Back office',
    text: 'Lists, stores, sales and reports',
    icon: IconLayoutDashboard,
    path: firstPage,
  },
  {
    key: 'branchOps',
    name: 'Branch operations',
    text: 'The day of one store, on a phone',
    icon: IconBuildingStore,
    path: () => outsideShell.branchOps,
  },
  {
    key: 'storeCount',
    name: 'Store count',
    text: 'Only the count',
    icon: IconClipboardCheck,
    path: () => outsideShell.storeCount,
  },
] as const satisfies readonly { key: string; path(me: Me): string; [more: string]: unknown }[];

/** The choice of app; opens the only one at once. */
export default function ModeSelect() {
  const me = useMe();
  const apps = APPS.filter((app) => me.apps.includes(app.key));
  const [only, another] = apps;

  useEffect(() => {
    document.title = me.company.appLabel;
  }, [me.company.appLabel]);

  if (only && !another) return <Navigate to={only.path(me)} replace />;

  return (
    <div className={classes.page}>
      <header>
        <Brand name={me.company.appLabel} />
      </header>
      <main className={classes.modes}>
        {apps.length === 0 ? (
          <EmptyState
            page
            compact
            icon={IconMoodEmpty}
            title="Nothing is open to you yet"
            text={
              me.user.roleId
                ? `Your role, ${me.user.roleName}, includes no app. Contact your administrator.`
                : 'Your account has no role yet. Contact your administrator to be given one.'
            }
            action={
              <Button variant="default" onClick={() => window.location.reload()}>
                Look again
              </Button>
            }
          />
        ) : (
          <h1 className={textClasses.heading}>Where to, {me.user.name.split(' ')[0]}?</h1>
        )}
        <ul className={classes.modeList}>
          {apps.map(({ key, name, text, icon: Picture, path }) => (
            <li key={key}>
              <Link to={path(me)} className={classes.mode}>
                <Picture size={24} stroke={1.6} aria-hidden />
                <span>
                  <strong>{name}</strong>
                  <span className={classes.stationText}>{text}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
        <p className={classes.access}>
          {me.user.email}
          {DOT}
          <UnstyledButton className={classes.link} onClick={() => void confirmAndSignOut()}>
            Sign out
          </UnstyledButton>
        </p>
      </main>
    </div>
  );
}
