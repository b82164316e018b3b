import { Popover, SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import {
  IconArrowsExchange,
  IconHelp,
  IconKey,
  IconLogout,
  IconUserCog,
} from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { mailOwnReset } from '#/api/account';
import { resetErrorText } from '#/api/identity';
import { useMe } from '#/api/session';
import { outsideShell } from '#/paths';
import { usePhone } from '#/ui/usePhone';
import { confirmAndSignOut } from '../signOutFlow';
import classes from './Profile.module.css';
import { showSearchIcon, useSearchIcon } from './searchIcon';

const AccountDrawer = lazy(() => import('#/features/account/AccountDrawer'));

interface Props {
  /** Whether to offer hiding the search button. */
  search?: boolean;
  /** Opens the help of the page, which the top bar has no room for on a phone. */
  onHelp?(): void;
}

export function Profile({ search, onHelp }: Props) {
  const me = useMe();
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  // Mounted when first opened, and kept so that its closing transition can play.
  const [account, setAccount] = useState<'unused' | 'open' | 'shut'>('unused');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const icon = useSearchIcon();
  const phone = usePhone();
  const { name, email, roleName, superAdmin } = me.user;
  const initial = (name || email || '?').trim().charAt(0).toUpperCase();

  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="bottom-end" width={280} trapFocus>
        <Popover.Target>
          <button
            type="button"
            className={classes.target}
            aria-label={`Account of ${name || email}`}
            onClick={() => setOpened(!opened)}
          >
            <span className={classes.avatar} aria-hidden>
              {initial}
            </span>
          </button>
        </Popover.Target>
        <Popover.Dropdown className={classes.panel} aria-label="Account">
          <div className={classes.who}>
            <span className={classes.avatar} aria-hidden>
              {initial}
            </span>
            <span className={classes.names}>
              <strong>{name}</strong>
              <span>{email}</span>
              <span>{superAdmin ? 'Super admin' : (roleName ?? 'No role')}</span>
            </span>
          </div>
          <SegmentedControl
            fullWidth
            aria-label="Appearance"
            value={colorScheme}
            onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
            data={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
              { value: 'auto', label: 'Device' },
            ]}
          />
          {search && (
            <Switch
              className={classes.choice}
              label="Search in the top bar"
              description="Ctrl K works either way."
              checked={icon}
              onChange={(event) => showSearchIcon(event.currentTarget.checked)}
            />
          )}
          <div className={classes.actions}>
            {onHelp && phone && (
              <button
                type="button"
                className={classes.action}
                onClick={() => {
                  setOpened(false);
                  onHelp();
                }}
              >
                <IconHelp size={18} stroke={1.6} aria-hidden />
                Help for this page
              </button>
            )}
            <button
              type="button"
              className={classes.action}
              onClick={() => {
                setOpened(false);
                setAccount('open');
              }}
            >
              <IconUserCog size={18} stroke={1.6} aria-hidden />
              My account
            </button>
            <ResetPassword email={email} />
            <button
              type="button"
              className={classes.action}
              onClick={() => {
                setOpened(false);
                void navigate(outsideShell.home);
              }}
            >
              <IconArrowsExchange size={18} stroke={1.6} aria-hidden />
              Switch app
            </button>
            <button
              type="button"
              className={classes.action}
              onClick={() => {
                setOpened(false);
                void confirmAndSignOut();
              }}
            >
              <IconLogout size={18} stroke={1.6} aria-hidden />
              Sign out
            </button>
          </div>
        </Popover.Dropdown>
      </Popover>
      {account !== 'unused' && (
        <Suspense>
          <AccountDrawer opened={account === 'open'} onClose={() => setAccount('shut')} />
        </Suspense>
      )}
    </>
  );
}

type Reset = 'idle' | 'sending' | 'sent';

const RESET_LABEL: Record<Reset, string> = {
  idle: 'Reset password',
  sending: 'Sending reset email…',
  sent: 'Reset email sent',
};

export function ResetPassword({ email }: { email: string }) {
  const [state, setState] = useState<Reset>('idle');
  const [error, setError] = useState<string | null>(null);

  async function reset(): Promise<void> {
    setState('sending');
    setError(null);
    try {
      await mailOwnReset();
      setState('sent');
    } catch (problem) {
      setError(resetErrorText(problem));
      setState('idle');
    }
  }

  return (
    <>
      <button
        type="button"
        className={classes.action}
        disabled={state === 'sending' || !email}
        onClick={() => void reset()}
      >
        <IconKey size={18} stroke={1.6} aria-hidden />
        <span aria-live="polite">{RESET_LABEL[state]}</span>
      </button>
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </>
  );
}
