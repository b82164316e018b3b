import { UnstyledButton } from '@mantine/core';
import { IconBuildingStore, IconClipboardCheck, IconLayoutDashboard } from '@tabler/icons-react';
import { Link, Navigate } from 'react-router';
import { signOut, useMe } from '#/api/session';
import { outside } from '#/paths';
import { firstPage } from '../access';
import { Brand } from './Brand';
import classes from './outside.module.css';

const APPS = [
  {
    key: 'backOffice',
    name: 'Back office',
    text: 'Lists, stores, sales and reports',
    icon: IconLayoutDashboard,
    built: true,
  },
  {
    key: 'branchOps',
    name: 'Branch operations',
    text: 'The day of one store, on a phone',
    icon: IconBuildingStore,
    built: false,
  },
  {
    key: 'storeCount',
    name: 'Store count',
    text: 'Counting, also without a signal',
    icon: IconClipboardCheck,
    built: false,
  },
] as const;

export function ModeSelect() {
  const me = useMe();
  const apps = APPS.filter((app) => me.apps.includes(app.key));
  const only = apps.length === 1 ? apps[0] : undefined;
  if (only?.built) return <Navigate to={firstPage(me)} replace />;

  return (
    <div className={classes.page}>
      <header>
        <Brand name={me.company.appLabel} />
      </header>
      <main className={classes.modes}>
        <h1 className={classes.title}>Where to, {me.user.name.split(' ')[0]}?</h1>
        {apps.length === 0 && (
          <p className={classes.body}>
            Your account has no role yet. Contact your administrator to be given one.
          </p>
        )}
        <ul className={classes.modeList}>
          {apps.map(({ key, name, text, icon: Picture, built }) => (
            <li key={key}>
              {built ? (
                <Link to={firstPage(me)} className={classes.mode}>
                  <Picture size={24} stroke={1.6} aria-hidden />
                  <span>
                    <strong>{name}</strong>
                    <span className={classes.stationText}>{text}</span>
                  </span>
                </Link>
              ) : (
                <span className={classes.mode} data-off aria-disabled="true">
                  <Picture size={24} stroke={1.6} aria-hidden />
                  <span>
                    <strong>{name}</strong>
                    <span className={classes.stationText}>Not available yet</span>
                  </span>
                </span>
              )}
            </li>
          ))}
        </ul>
        <p className={classes.access}>
          {me.user.email} ·{' '}
          <UnstyledButton
            className={classes.link}
            onClick={() => {
              window.history.replaceState(null, '', outside.login);
              void signOut();
            }}
          >
            Sign out
          </UnstyledButton>
        </p>
      </main>
    </div>
  );
}
