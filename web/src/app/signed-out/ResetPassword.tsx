import { Anchor, Button, Loader, TextInput } from '@mantine/core';
import { type FormEvent, useContext, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import {
  AuthError,
  authMessage,
  checkResetCode,
  errorText,
  resetErrorText,
  resetPassword,
  sendPasswordReset,
} from '#/api/identity';
import { clearSession, MeContext } from '#/api/session';
import { useWelcome } from '#/api/welcome';
import { outsideShell } from '#/paths';
import { NewPassword } from '#/ui/NewPassword';
import { beginSignOut } from '../sessionEnd';
import { CardFrame } from './CardFrame';
import type { LoginState } from './Login';
import classes from './signedOut.module.css';

/** With the code from a reset mail: sets a new password. Without: asks for the mail. */
export default function ResetPassword() {
  const [search] = useSearchParams();
  const code = search.get('oobCode') ?? '';
  return code ? <SetPassword code={code} key={code} /> : <AskForLink />;
}

type LinkState =
  | { state: 'checking' }
  | { state: 'good'; email: string }
  | { state: 'spent' }
  | { state: 'unknown'; message: string };

function SetPassword({ code }: { code: string }) {
  const me = useContext(MeContext);
  const navigate = useNavigate();
  const { data: welcome } = useWelcome();
  const [link, setLink] = useState<LinkState>({ state: 'checking' });
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [round, setRound] = useState(0);
  const field = useRef<HTMLInputElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` triggers another check
  useEffect(() => {
    let current = true;
    setLink({ state: 'checking' });
    checkResetCode(code).then(
      (email) => current && setLink({ state: 'good', email }),
      (problem) => current && setLink(isSpent(problem) ? { state: 'spent' } : unknown(problem)),
    );
    return () => {
      current = false;
    };
  }, [code, round]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || link.state !== 'good') return;
    const minimum = welcome?.passwordMinimum ?? 8;
    if ([...password].length < minimum) {
      setError(password ? `Use at least ${minimum} characters.` : 'Enter a new password.');
      field.current?.focus();
      return;
    }
    setBusy(true);
    setError('');
    try {
      await resetPassword(code, password);
      // Setting the password ended every session, including this browser's.
      beginSignOut('Your password is set. Sign in with it.');
      if (me) clearSession();
      else void navigate(outsideShell.login, { state: { email: link.email }, replace: true });
    } catch (problem) {
      if (isSpent(problem)) setLink({ state: 'spent' });
      else setError(explained(problem));
      setBusy(false);
      field.current?.focus();
    }
  }

  if (link.state === 'checking') {
    return (
      <CardFrame title="Set your password">
        <output className={classes.checking}>
          <Loader size="sm" />
          Checking the link…
        </output>
      </CardFrame>
    );
  }
  if (link.state === 'spent') {
    return (
      <CardFrame title="This link no longer works">
        <p className={classes.body}>
          Each link works once, and only for a limited time. If you asked for several, only the
          newest counts.
        </p>
        <Button
          component={Link}
          to={outsideShell.resetPassword}
          fullWidth
          mt="md"
          className={classes.submit}
        >
          Send me a new link
        </Button>
        <p className={classes.access}>
          <Anchor component={Link} to={outsideShell.login} underline="always" inherit>
            Back to sign in
          </Anchor>
        </p>
      </CardFrame>
    );
  }
  if (link.state === 'unknown') {
    return (
      <CardFrame title="Set your password" error={link.message}>
        <Button fullWidth className={classes.submit} onClick={() => setRound(round + 1)}>
          Try again
        </Button>
      </CardFrame>
    );
  }
  return (
    <CardFrame title="Set your password" error={error}>
      <form onSubmit={submit} className={classes.form} noValidate>
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          value={link.email}
          readOnly
          classNames={{ input: classes.fixed }}
        />
        <NewPassword
          ref={field}
          value={password}
          onChange={setPassword}
          minimum={welcome?.passwordMinimum}
          about={[link.email, welcome?.companyName ?? '', 'larder']}
          autoFocus
        />
        <Button type="submit" fullWidth className={classes.submit} aria-disabled={busy}>
          {busy ? 'Saving…' : 'Set password'}
        </Button>
      </form>
    </CardFrame>
  );
}

function AskForLink() {
  const from = (useLocation().state ?? {}) as { email?: string };
  const [sent, setSent] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const email = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const given = email.current?.value.trim() ?? '';
    const code = !given
      ? 'auth/missing-email'
      : email.current?.validity.valid
        ? ''
        : 'auth/invalid-email';
    if (code) {
      setError(authMessage(code));
      email.current?.focus();
      return;
    }
    setBusy(true);
    setError('');
    try {
      await sendPasswordReset(given);
      setSent(given);
    } catch (problem) {
      setError(resetErrorText(problem));
      email.current?.focus();
    } finally {
      setBusy(false);
    }
  }

  if (sent) {
    return (
      <CardFrame title="Check your mail">
        <p className={classes.body} role="status">
          If <strong>{sent}</strong> has an account, a link to set a new password is on its way. It
          works once, for one hour.
        </p>
        <Button
          component={Link}
          to={outsideShell.login}
          state={{ email: sent } satisfies LoginState}
          variant="default"
          fullWidth
          mt="md"
          className={classes.submit}
        >
          Back to sign in
        </Button>
      </CardFrame>
    );
  }
  return (
    <CardFrame title="Forgot your password?" error={error}>
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
          defaultValue={from.email ?? ''}
          description="We will mail you a link to set a new one."
          required
          autoFocus
        />
        <Button type="submit" fullWidth mt={4} className={classes.submit} aria-disabled={busy}>
          {busy ? 'Sending…' : 'Send the link'}
        </Button>
      </form>
      <p className={classes.access}>
        <Anchor component={Link} to={outsideShell.login} underline="always" inherit>
          Back to sign in
        </Anchor>
      </p>
    </CardFrame>
  );
}

function isSpent(problem: unknown): boolean {
  return (
    problem instanceof AuthError &&
    /auth\/(invalid|expired)-action-code|auth\/user-(not-found|disabled)/.test(problem.code)
  );
}

function unknown(problem: unknown): LinkState {
  return {
    state: 'unknown',
    message: errorText(problem, 'Something went wrong. Please try again.'),
  };
}

/** The server's objection to the new password. */
function explained(problem: unknown): string {
  if (problem instanceof AuthError && problem.explanation) return problem.explanation;
  return errorText(problem, 'Something went wrong. Please try again.');
}
