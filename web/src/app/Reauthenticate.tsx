import { Anchor, Button, Group, Modal, PasswordInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { reauthenticate } from '#/api/account';
import { signInWithGoogle } from '#/api/google';
import { AuthError, errorText } from '#/api/identity';
import { useMe } from '#/api/session';
import { CodeInput } from '#/ui/CodeInput';
import { ErrorBox } from '#/ui/ErrorBox';
import { useReturnFocus } from '#/ui/useReturnFocus';
import classes from './Reauthenticate.module.css';

type Way = 'password' | 'code' | 'google';

/** Asks for the password again, or for the second factor or Google, before a sensitive action. */
export default function Reauthenticate({ onAnswer }: { onAnswer(proved: boolean): void }) {
  useReturnFocus();
  const me = useMe();
  const { providers } = me;
  const ways: Way[] = [
    ...(providers.includes('password') ? (['password'] as const) : []),
    ...(providers.includes('google.com') ? (['google'] as const) : []),
    // A code alone is enough only for users without a password.
    ...(me.totp.on && !providers.includes('password') ? (['code'] as const) : []),
  ];
  const [way, setWay] = useState<Way>(ways[0] ?? 'password');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const password = useRef<HTMLInputElement>(null);

  async function prove(how: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setError('');
    try {
      await how();
      onAnswer(true);
    } catch (problem) {
      // The open popup continues.
      if (problem instanceof AuthError && problem.code === 'auth/cancelled-popup-request') return;
      setError(errorText(problem, 'Something went wrong. Please try again.'));
      setBusy(false);
      password.current?.select();
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const given = password.current?.value ?? '';
    if (!given) {
      setError('Enter your password.');
      password.current?.focus();
      return;
    }
    void prove(() => reauthenticate({ password: given }));
  }

  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={way === 'password' ? 'Confirm your password' : 'Confirm that it is you'}
      size={400}
      zIndex={400}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ title: classes.title }}
    >
      <form onSubmit={submit} noValidate>
        <p className={classes.text}>
          {way === 'password' && 'Enter your password again to continue.'}
          {way === 'code' && 'Enter the six digits that your authenticator app shows.'}
          {way === 'google' && 'Confirm with your Google account to continue.'}
        </p>
        {error && <ErrorBox>{error}</ErrorBox>}
        {way === 'password' && (
          <>
            <input
              className="sr-only"
              type="email"
              autoComplete="username"
              value={me.user.email}
              readOnly
              tabIndex={-1}
              aria-hidden
            />
            <PasswordInput
              ref={password}
              label="Password"
              autoComplete="current-password"
              data-autofocus
              required
              visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
            />
          </>
        )}
        {way === 'code' && (
          <CodeInput
            busy={busy}
            autoFocus
            onCode={(code) => void prove(() => reauthenticate({ code }))}
          />
        )}
        <div className={classes.others}>
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <Anchor
                key={other}
                component="button"
                type="button"
                underline="always"
                onClick={() => {
                  setError('');
                  setWay(other);
                }}
              >
                {OTHERWISE[other]}
              </Anchor>
            ))}
        </div>
        <Group justify="flex-end" mt="md" gap="xs">
          <Button variant="default" onClick={() => onAnswer(false)}>
            Cancel
          </Button>
          {way === 'password' && (
            <Button type="submit" loading={busy}>
              Continue
            </Button>
          )}
          {way === 'google' && (
            <Button
              data-autofocus
              aria-busy={busy}
              onClick={() => void prove(() => signInWithGoogle({ reauthenticate: true }))}
            >
              Continue with Google
            </Button>
          )}
        </Group>
      </form>
    </Modal>
  );
}

const OTHERWISE: Record<Way, string> = {
  password: 'Use your password',
  code: 'Use a code from your authenticator app',
  google: 'Use Google',
};
