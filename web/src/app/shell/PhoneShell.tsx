import { Button } from '@mantine/core';
import { IconArrowsExchange, IconLogout } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useMe } from '#/api/session';
import { outsideShell } from '#/paths';
import { Logo } from '../signed-out/Brand';
import { confirmAndSignOut } from '../signOutFlow';
import { Connection } from './Connection';
import classes from './PhoneShell.module.css';
import { Profile } from './Profile';

interface Props {
  title: string;
  /** Shown in the bar. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The frame of a phone app: a top bar above the content. */
export function PhoneFrame({ title, aside, children }: Props) {
  const me = useMe();
  useEffect(() => {
    document.title = `${title} – ${me.company.appLabel}`;
  }, [title, me.company.appLabel]);

  return (
    <div className={classes.shell}>
      <header className={classes.bar}>
        <Logo size={28} />
        <span className={classes.app}>{title}</span>
        {aside ?? <Connection />}
        <Profile />
      </header>
      {children}
    </div>
  );
}

/** Links to another app, and sign-out. */
export function PhoneExits() {
  const me = useMe();
  const navigate = useNavigate();
  return (
    <footer className={classes.foot}>
      {me.apps.length > 1 && (
        <Button
          variant="default"
          leftSection={<IconArrowsExchange size={18} stroke={1.6} aria-hidden />}
          onClick={() => void navigate(outsideShell.home)}
        >
          Switch app
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconLogout size={18} stroke={1.6} aria-hidden />}
        onClick={() => void confirmAndSignOut()}
      >
        Sign out
      </Button>
    </footer>
  );
}
