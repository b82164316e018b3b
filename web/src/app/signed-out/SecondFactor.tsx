import { Anchor, Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { AuthError, errorText, finishSignIn } from '#/api/identity';
import { CodeInput } from '#/ui/CodeInput';
import { DOT } from '#/ui/format';
import { CardFrame } from './CardFrame';
import classes from './signedOut.module.css';

interface Props {
  pending: string;
  onDone(): Promise<void>;
  /** Back to the first step, with an error message. */
  onBack(message?: string): void;
}

/** The second step of signing in. */
export function SecondFactor({ pending, onDone, onBack }: Props) {
  const [recovery, setRecovery] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [tries, setTries] = useState(0);

  async function finish(code: string): Promise<void> {
    setBusy(true);
    setError('');
    try {
      await finishSignIn(pending, code);
      await onDone();
    } catch (problem) {
      const { code: what } = problem instanceof AuthError ? problem : { code: '' };
      if (what === 'auth/invalid-mfa-pending-credential') {
        return onBack('That took too long. Sign in again.');
      }
      setError(
        what === 'auth/invalid-verification-code'
          ? recovery
            ? 'The code is not right. Each recovery code works once.'
            : "The code is not right. Check your phone's clock and try the next one."
          : errorText(problem, 'Login failed'),
      );
      setTries(tries + 1);
      setBusy(false);
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get('recovery');
    if (typeof given === 'string' && given.trim() && !busy) void finish(given.trim());
  }

  return (
    <CardFrame title="Second step" error={error} home={false}>
      <p className={classes.lead2}>
        {recovery
          ? 'Enter one of the recovery codes you kept when you set up the second step.'
          : 'Enter the six digits that your authenticator app shows for Larder.'}
      </p>
      <form onSubmit={submit} className={classes.form} noValidate>
        {recovery ? (
          <TextInput
            key={tries}
            label="Recovery code"
            name="recovery"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            autoFocus
          />
        ) : (
          <CodeInput key={tries} busy={busy} autoFocus onCode={(code) => void finish(code)} />
        )}
        {recovery && (
          <Button type="submit" fullWidth mt={4} className={classes.submit} aria-disabled={busy}>
            {busy ? 'Signing in…' : 'Sign in'}
          </Button>
        )}
        {!recovery && (
          <p className={classes.note} aria-live="polite">
            {busy && 'Signing in…'}
          </p>
        )}
      </form>
      <p className={classes.access}>
        <Anchor
          component="button"
          type="button"
          underline="always"
          inherit
          onClick={() => {
            setError('');
            setRecovery(!recovery);
          }}
        >
          {recovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Anchor>
        {DOT}
        <Anchor
          component="button"
          type="button"
          underline="always"
          inherit
          onClick={() => onBack()}
        >
          Back to sign in
        </Anchor>
      </p>
    </CardFrame>
  );
}
