import { Button, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import textClasses from '#/ui/Text.module.css';
import { type User, usersApi } from '../api';
import { firstName } from '../labels';
import { CopyField } from '../parts/CopyField';
import classes from './dialogs.module.css';

/** How long to wait for the temporary password. */
export const TIMEOUT_MS = 20_000;

interface Props {
  user: Pick<User, 'id' | 'name' | 'email'>;
  /** The password before, which is not the one waited for. */
  before: string | null;
  onResetLink(): void;
  /** The buttons shown at the end. */
  children: ReactNode;
}

/**
 * Waits for a password that the server generates, and shows it. A live event reports when the user
 * has changed; polling helps while live events are interrupted.
 */
export function TempPassword({ user, before, onResetLink, children }: Props) {
  const [since, setSince] = useState(() => Date.now());
  const [waited, setWaited] = useState(0);
  const { data } = useQuery({
    queryKey: ['people', 'users', 'one', user.id],
    queryFn: ({ signal }) => usersApi.get(user.id, signal),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      ready(state.data, before) || Date.now() - since > TIMEOUT_MS ? false : 1500,
  });
  const password = ready(data, before);
  const late = !password && waited >= TIMEOUT_MS;

  useEffect(() => {
    if (password || late) return;
    const timer = setInterval(() => setWaited(Date.now() - since), 200);
    return () => clearInterval(timer);
  }, [password, late, since]);

  if (password) {
    return (
      <div>
        <p className={textClasses.dialogText}>
          Give it to {firstName(user.name)} in person or by phone. After signing in with it a new
          one has to be chosen.
        </p>
        <CopyField label="Temporary password" value={password} large />
        <p className={classes.fine}>
          Shown this once. It ends at the first sign-in, or after 24 hours.
        </p>
        <div className={classes.actions}>{children}</div>
      </div>
    );
  }

  if (late) {
    return (
      <div>
        <div className={classes.late} role="alert">
          <p>
            The password is taking longer than {TIMEOUT_MS / 1000} seconds. {firstName(user.name)}{' '}
            can set one with a reset link instead.
          </p>
        </div>
        <div className={classes.actions}>
          {children}
          <Button
            variant="default"
            onClick={() => {
              setWaited(0);
              setSince(Date.now());
            }}
          >
            Wait again
          </Button>
          <Button onClick={onResetLink}>Make a reset link</Button>
        </div>
      </div>
    );
  }

  return (
    <div className={classes.waiting}>
      <div className={classes.waitingHead} role="status">
        Making the password…
        <span className="num" aria-hidden>
          {Math.floor(waited / 1000)} s
        </span>
      </div>
      <Progress
        value={Math.min(100, (waited / TIMEOUT_MS) * 100)}
        size="md"
        transitionDuration={200}
        aria-label="Making the password"
      />
      <p className={classes.fine}>It takes a few seconds and appears here by itself.</p>
    </div>
  );
}

function ready(user: User | undefined, before: string | null): string | null {
  const password = user?.tempPassword;
  return password && password !== before ? password : null;
}
