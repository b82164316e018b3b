import { Anchor, Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { changePassword, refreshMe } from '#/api/account';
import { Problem } from '#/api/problem';
import { useMe } from '#/api/session';
import { useWelcome } from '#/api/welcome';
import { TotpSetup } from '#/features/account/TotpSetup';
import { DOT } from '#/ui/format';
import { NewPassword } from '#/ui/NewPassword';
import { confirmAndSignOut } from '../signOutFlow';
import { CardFrame } from './CardFrame';
import { forgetPassword, keptPassword } from './passwordHandover';
import classes from './signedOut.module.css';

/** The page for a step the user must complete before anything else opens. */
export default function Gate({ required }: { required: 'password' | 'totp' }) {
  return required === 'password' ? <ChangePassword /> : <SetUpSecondFactor />;
}

function ChangePassword() {
  const me = useMe();
  const { data: welcome } = useWelcome();
  const [known] = useState(keptPassword);
  const [next, setNext] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const current = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const given = known || (current.current?.value ?? '');
    const minimum = welcome?.passwordMinimum ?? 8;
    const wrong = !given
      ? 'Enter the password you were given.'
      : [...next].length < minimum
        ? `Use at least ${minimum} characters.`
        : next === given
          ? 'Choose another password than the one you were given.'
          : '';
    if (wrong) {
      setError(wrong);
      (given ? field : current).current?.focus();
      return;
    }
    setBusy(true);
    setError('');
    try {
      await changePassword(given, next);
      forgetPassword();
    } catch (problem) {
      const { fields, message } = Problem.of(problem);
      setError(fields[0]?.message ?? message);
      setBusy(false);
      field.current?.focus();
    }
  }

  return (
    <CardFrame title="Choose your own password" error={error} home={false}>
      <p className={classes.lead2}>This password is temporary. Choose one that only you know.</p>
      <form onSubmit={submit} className={classes.form} noValidate>
        <input
          className="sr-only"
          type="email"
          autoComplete="username"
          value={me.user.email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        {!known && (
          <PasswordInput
            ref={current}
            label="Password you were given"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
            required
            autoFocus
          />
        )}
        <NewPassword
          ref={field}
          value={next}
          onChange={setNext}
          minimum={welcome?.passwordMinimum}
          about={[me.user.email, me.user.name, me.company.name]}
          autoFocus={Boolean(known)}
        />
        <Button type="submit" fullWidth className={classes.submit} aria-disabled={busy}>
          {busy ? 'Saving…' : 'Save and continue'}
        </Button>
      </form>
      <LeaveLine />
    </CardFrame>
  );
}

function SetUpSecondFactor() {
  return (
    <CardFrame title="Set up a second step" home={false} wide>
      <p className={classes.lead2}>
        Your role asks for a code from your phone besides the password. It takes a minute.
      </p>
      <TotpSetup onDone={refreshMe} doneLabel="Continue" />
      <LeaveLine />
    </CardFrame>
  );
}

function LeaveLine() {
  const me = useMe();
  return (
    <p className={classes.access}>
      {me.user.email}
      {DOT}
      <Anchor
        component="button"
        type="button"
        underline="always"
        inherit
        onClick={() => void confirmAndSignOut()}
      >
        Sign out
      </Anchor>
    </p>
  );
}
