import { Alert, Anchor, Button, Divider, PasswordInput, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { AuthError, authMessage, signIn } from '#/api/session';
import { outside } from '#/paths';
import { Brand } from './Brand';
import classes from './outside.module.css';

export function Login() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  function refuse(code: string, field: HTMLInputElement | null): void {
    setError(authMessage(code));
    field?.focus();
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const address = email.current?.value.trim() ?? '';
    const secret = password.current?.value ?? '';
    if (!address) return refuse('auth/missing-email', email.current);
    if (!email.current?.validity.valid) return refuse('auth/invalid-email', email.current);
    if (!secret) return refuse('auth/missing-password', password.current);
    setError(null);
    setBusy(true);
    try {
      await signIn(address, secret);
    } catch (problem) {
      const said = problem instanceof AuthError || problem instanceof Error ? problem.message : '';
      setError(said || 'Login failed');
      setBusy(false);
      password.current?.focus();
    }
  }

  return (
    <div className={classes.page}>
      <header>
        <Link to={outside.home} className={classes.home} aria-label="Larder, back to start">
          <Brand />
        </Link>
      </header>
      <main className={classes.card}>
        <h1 className={classes.title}>Sign in</h1>
        <form onSubmit={submit} className={classes.form} noValidate>
          {error && (
            <Alert
              color="red"
              variant="light"
              icon={<IconAlertCircle size={18} aria-hidden />}
              classNames={{ root: classes.error, message: classes.errorText }}
              role="alert"
            >
              {error}
            </Alert>
          )}
          <TextInput
            ref={email}
            type="email"
            label="Email"
            name="email"
            autoComplete="username"
            inputMode="email"
            required
            autoFocus
          />
          <PasswordInput
            ref={password}
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          />
          <Button type="submit" disabled={busy} fullWidth mt={4} className={classes.submit}>
            {busy ? 'Signing in…' : 'Sign in'}
          </Button>
        </form>
        <Divider label="or" my="sm" />
        <Button
          variant="default"
          fullWidth
          disabled
          aria-describedby="google-note"
          className={classes.submit}
        >
          Continue with Google
        </Button>
        <p id="google-note" className={classes.note}>
          Google sign-in is not set up here yet.
        </p>
        <p className={classes.access}>
          Need access? Contact your administrator.{' '}
          <Anchor component={Link} to={outside.apply} underline="always" inherit>
            Apply
          </Anchor>
        </p>
      </main>
    </div>
  );
}
