import { Anchor, Button, Checkbox, Divider, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { googleError, onLateGoogleSignIn, signInWithGoogle } from '#/api/google';
import {
  AuthError,
  authMessage,
  type DeviceKind,
  errorText,
  signInWithPassword,
} from '#/api/identity';
import { hasSession, startSession } from '#/api/session';
import { useWelcome } from '#/api/welcome';
import { outsideShell } from '#/paths';
import { lastSessionEnd, signOutNotice } from '../sessionEnd';
import { CardFrame } from './CardFrame';
import { forgetPassword, keepPassword } from './passwordHandover';
import { SecondFactor } from './SecondFactor';
import classes from './signedOut.module.css';

/** The router state that other pages may pass. */
export interface LoginState {
  email?: string;
}

interface LoginProblem {
  message: string;
  /** The field to correct. */
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
  /** Shown when the button is pressed again while a Google window is open. */
  const [again, setAgain] = useState('');
  const [wrong, setWrong] = useState<LoginProblem | null>(null);
  const [notice, setNotice] = useState(signOutNotice);
  const [pending, setPending] = useState(takePendingSecondFactor);
  const [address, setAddress] = useState(from.email ?? '');
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const tablet = useRef<HTMLInputElement>(null);

  // A refused Google sign-in without popup returns here with an error code.
  const refused = search.get('error');
  useEffect(() => {
    if (refused === null) return;
    // The message may name the company's domain.
    if (!welcome) return;
    if (refused && !takePendingSecondFactor.taken) {
      setWrong({ message: googleError({ code: refused }, welcome.companyDomain).message });
    }
    setSearch({}, { replace: true });
  }, [refused, welcome, setSearch]);

  // A user who signed in and left without choosing a password leaves none behind.
  useEffect(forgetPassword, []);

  useEffect(() => onLateGoogleSignIn(() => void startSession()), []);

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
        keepPassword(secret);
        const { mustChangePassword } = await startSession();
        if (!mustChangePassword) forgetPassword();
      }
    } catch (problem) {
      setWrong({ message: errorText(problem, 'Login failed') });
      password.current?.focus();
      password.current?.select();
    } finally {
      setBusy(false);
    }
  }

  async function google(): Promise<void> {
    setWrong(null);
    setNotice('');
    setAgain('');
    setWaiting(true);
    try {
      const returnTo = lastSessionEnd()?.address ?? outsideShell.home;
      const outcome = await signInWithGoogle({ returnTo });
      if (outcome.pending) setPending(outcome.pending);
      else await startSession();
      setWaiting(false);
    } catch (problem) {
      // Another attempt continues, so this is no error.
      if (problem instanceof AuthError && problem.code === 'auth/cancelled-popup-request') {
        setAgain(problem.message);
        return;
      }
      // Another window may have signed in meanwhile.
      if (!(await hasSession())) setWrong({ message: errorText(problem, 'Google sign-in failed') });
      else await startSession();
      setWaiting(false);
    }
  }

  if (pending) {
    return (
      <SecondFactor
        pending={pending}
        onDone={async () => void (await startSession())}
        onBack={(message) => {
          setPending('');
          setWrong(message ? { message } : null);
        }}
      />
    );
  }

  const off = welcome?.google === false;
  return (
    <CardFrame title="Sign in" error={wrong?.message} notice={notice}>
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
              void navigate(outsideShell.resetPassword, { state: { email: typed } });
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
            defaultChecked={isRemembered(TABLET)}
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
        aria-busy={waiting}
        data-busy={waiting || undefined}
        className={classes.submit}
        onClick={() => void google()}
      >
        Continue with Google
      </Button>
      <p id="google-note" className={classes.note} aria-live="polite">
        {off && 'Google sign-in is not set up here.'}
        {waiting && `${again} Finish signing in in the Google window.`}
      </p>
      <p className={classes.access}>
        Need access? Contact your administrator.{' '}
        <Anchor component={Link} to={outsideShell.apply} underline="always" inherit>
          Apply
        </Anchor>
      </p>
    </CardFrame>
  );
}

/** The token of a Google sign-in without popup that still needs the second factor; '' if there is none. */
function takePendingSecondFactor(): string {
  try {
    const token = sessionStorage.getItem(PENDING) ?? '';
    sessionStorage.removeItem(PENDING);
    takePendingSecondFactor.taken ||= token !== '';
    return token;
  } catch {
    return '';
  }
}
takePendingSecondFactor.taken = false;

function isRemembered(key: string): boolean {
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
    // Not remembered: the user is asked again next time.
  }
}
