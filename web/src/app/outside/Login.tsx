import { Anchor, Button, Checkbox, Divider, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { googleError, signInWithGoogle } from '#/api/google';
import { authMessage, type DeviceKind, said, signInWithPassword } from '#/api/identity';
import { enter } from '#/api/session';
import { useWelcome } from '#/api/welcome';
import { outside } from '#/paths';
import { departure, farewell } from '../departure';
import { carried, carry } from './carried';
import { Frame } from './Frame';
import classes from './outside.module.css';
import { SecondFactor } from './SecondFactor';

/** What another of these pages hands over. */
export interface LoginState {
  email?: string;
}

interface Wrong {
  message: string;
  /** The field to mend it in. */
  field?: 'email' | 'password';
}

const PENDING = 'larder:second-factor';
const TABLET = 'larder:tablet';

export default function Login() {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const from = (useLocation().state ?? {}) as LoginState;
  const { data: welcome } = useWelcome();
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [notice, setNotice] = useState(farewell);
  const [pending, setPending] = useState(comingBack);
  const [address, setAddress] = useState(from.email ?? '');
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const tablet = useRef<HTMLInputElement>(null);

  // The way back from Google without a popup ends here when it was refused.
  const refused = search.get('error');
  useEffect(() => {
    if (refused === null) return;
    // Its words may need the company's domain.
    if (!welcome) return;
    if (refused && !comingBack.taken) {
      setWrong({ message: googleError({ code: refused }, welcome.companyDomain).message });
    }
    setSearch({}, { replace: true });
  }, [refused, welcome, setSearch]);

  function refuse(message: string, field?: 'email' | 'password'): void {
    setNotice('');
    setWrong({ message, field });
    (field === 'email' ? email : password).current?.focus();
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const given = email.current?.value.trim() ?? '';
    const secret = password.current?.value ?? '';
    if (!given) return refuse(authMessage('auth/missing-email'), 'email');
    if (!email.current?.validity.valid) return refuse(authMessage('auth/invalid-email'), 'email');
    if (!secret) return refuse(authMessage('auth/missing-password'), 'password');
    const device: DeviceKind = tablet.current?.checked ? 'tablet' : 'office';
    remember(TABLET, device === 'tablet');
    setWrong(null);
    setNotice('');
    setBusy(true);
    try {
      const outcome = await signInWithPassword(given, secret, device);
      if (outcome.pending) {
        setAddress(given);
        setPending(outcome.pending);
      } else {
        carry(secret);
        const { mustChangePassword } = await enter();
        if (!mustChangePassword) carried();
      }
    } catch (problem) {
      setWrong({ message: said(problem, 'Login failed') });
      password.current?.focus();
      password.current?.select();
    } finally {
      setBusy(false);
    }
  }

  async function google(): Promise<void> {
    setWrong(null);
    setNotice('');
    setWaiting(true);
    try {
      const returnTo = departure()?.address ?? outside.home;
      const outcome = await signInWithGoogle({ returnTo });
      if (outcome.pending) setPending(outcome.pending);
      else await enter();
      setWaiting(false);
    } catch (problem) {
      const message = said(problem, 'Google sign-in failed');
      setWrong({ message });
      // A second try takes the place of the first and goes on waiting.
      if (message !== authMessage('auth/cancelled-popup-request')) setWaiting(false);
    }
  }

  if (pending) {
    return (
      <SecondFactor
        pending={pending}
        onDone={async () => void (await enter())}
        onBack={(message) => {
          setPending('');
          setWrong(message ? { message } : null);
        }}
      />
    );
  }

  const off = welcome?.google === false;
  return (
    <Frame title="Sign in" error={wrong?.message} notice={notice}>
      <form onSubmit={submit} className={classes.form} noValidate>
        <TextInput
          ref={email}
          type="email"
          label="Email"
          name="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="off"
          spellCheck={false}
          defaultValue={address}
          error={wrong?.field === 'email'}
          required
          autoFocus={!address}
        />
        <div className={classes.secret}>
          <PasswordInput
            ref={password}
            label="Password"
            name="password"
            autoComplete="current-password"
            error={wrong?.field === 'password'}
            required
            autoFocus={Boolean(address)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          />
          <Anchor
            component="button"
            type="button"
            className={classes.forgot}
            onClick={() => {
              const typed = email.current?.value.trim() ?? '';
              void navigate(outside.resetPassword, { state: { email: typed } });
            }}
          >
            Forgot password?
          </Anchor>
        </div>
        {navigator.maxTouchPoints > 0 && (
          <Checkbox
            ref={tablet}
            size="sm"
            label="This is a shared count tablet"
            defaultChecked={remembered(TABLET)}
            classNames={{ label: classes.tabletLabel }}
          />
        )}
        <Button
          type="submit"
          aria-disabled={busy}
          data-busy={busy || undefined}
          fullWidth
          mt={4}
          className={classes.submit}
        >
          {busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      <Divider label="or" my="sm" />
      <Button
        variant="default"
        fullWidth
        disabled={!welcome?.google}
        aria-describedby="google-note"
        className={classes.submit}
        onClick={() => void google()}
      >
        Continue with Google
      </Button>
      <p id="google-note" className={classes.note} aria-live="polite">
        {off && 'Google sign-in is not set up here.'}
        {waiting && 'Finish signing in in the Google window.'}
      </p>
      <p className={classes.access}>
        Need access? Contact your administrator.{' '}
        <Anchor component={Link} to={outside.apply} underline="always" inherit>
          Apply
        </Anchor>
      </p>
    </Frame>
  );
}

/** A sign-in with Google that came back without its popup and still wants the second factor. */
function comingBack(): string {
  try {
    const kept = sessionStorage.getItem(PENDING) ?? '';
    sessionStorage.removeItem(PENDING);
    comingBack.taken ||= kept !== '';
    return kept;
  } catch {
    return '';
  }
}
comingBack.taken = false;

function remembered(key: string): boolean {
  try {
    return localStorage.getItem(key) === '1';
  } catch {
    return false;
  }
}

function remember(key: string, on: boolean): void {
  try {
    if (on) localStorage.setItem(key, '1');
    else localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing is asked again next time.
  }
}
