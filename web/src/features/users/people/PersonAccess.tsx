import { Button, Drawer, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Problem } from '#/api/problem';
import { plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import textClasses from '#/ui/Text.module.css';
import { done } from '#/ui/toast';
import { peopleChanged, type Session, type User, usersApi } from '../api';
import { firstName, providerInText } from '../labels';
import { CopyField } from '../parts/CopyField';
import { SessionLine } from '../parts/SessionLine';
import { showError } from '../problems';
import classes from './PersonAccess.module.css';
import type { PersonActions } from './PersonDialogs';

interface Props {
  user: User;
  actions: PersonActions;
  mayEdit: boolean;
  self: boolean;
}

/** A user's password, second factor, providers and sessions. */
export function PersonAccess({ user, actions, mayEdit, self }: Props) {
  const active = user.status === 'Active';
  const [shown, setShown] = useState(false);
  const first = firstName(user.name);
  return (
    <Drawer.Body className={classes.body}>
      <Row
        title="Account"
        text={
          active
            ? `${first} can sign in${user.providers.length > 0 ? ` by ${user.providers.map(providerInText).join(' or ')}` : ''}.`
            : `${first} is disabled and cannot sign in.`
        }
      >
        {mayEdit && !self && (
          <Button
            size="xs"
            variant="default"
            c={active ? 'var(--danger)' : undefined}
            onClick={() => actions.ask('status', user)}
          >
            {active ? 'Disable…' : 'Enable…'}
          </Button>
        )}
      </Row>
      <Row
        title="Password"
        text={
          user.hasTempPassword
            ? 'A temporary password waits to be used.'
            : 'Set by a link, or by a temporary password that is changed at once.'
        }
      >
        {mayEdit && active && (
          <>
            {user.tempPassword && (
              <Button
                size="xs"
                variant="default"
                aria-expanded={shown}
                onClick={() => setShown(!shown)}
              >
                {shown ? 'Hide' : 'Show'}
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => actions.ask('resetLink', user)}>
              Reset link…
            </Button>
            {!self && (
              <Button size="xs" variant="default" onClick={() => actions.ask('tempPassword', user)}>
                Temporary password…
              </Button>
            )}
          </>
        )}
      </Row>
      {shown && user.tempPassword && (
        <div className={classes.secret}>
          <CopyField label="Temporary password" value={user.tempPassword} large />
        </div>
      )}
      <Row
        title="Two-step sign-in"
        aside={
          <StatusPill tone={user.totp ? 'ok' : 'neutral'}>{user.totp ? 'On' : 'Off'}</StatusPill>
        }
        text={
          user.totp
            ? 'A code from an authenticator app is asked for after the password.'
            : `${first} can set up an authenticator app in the account menu.`
        }
      >
        {mayEdit && user.totp && !self && (
          <Button
            size="xs"
            variant="default"
            c="var(--danger)"
            onClick={() => actions.ask('removeTotp', user)}
          >
            Remove…
          </Button>
        )}
      </Row>
      <Sessions user={user} actions={actions} mayEdit={mayEdit} />
    </Drawer.Body>
  );
}

interface RowProps {
  title: string;
  text: string;
  aside?: ReactNode;
  children?: ReactNode;
}

function Row({ title, text, aside, children }: RowProps) {
  return (
    <section className={classes.row}>
      <div className={classes.rowText}>
        <h3 className={classes.title}>
          {title}
          {aside}
        </h3>
        <p className={classes.text}>{text}</p>
      </div>
      <div className={classes.buttons}>{children}</div>
    </section>
  );
}

function Sessions({ user, actions, mayEdit }: Pick<Props, 'user' | 'actions' | 'mayEdit'>) {
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'sessions', 'of', user.id],
    queryFn: async ({ signal }) => (await usersApi.sessions(user.id, signal)).items,
  });
  const [ending, setEnding] = useState<string | null>(null);

  async function end({ id }: Session): Promise<void> {
    setEnding(id);
    try {
      await usersApi.endSession(user.id, id);
      done('Session ended');
    } catch (problem) {
      showError(problem);
    } finally {
      setEnding(null);
      peopleChanged();
    }
  }

  return (
    <section className={classes.sessions}>
      <div className={classes.sessionsHead}>
        <h3 className={classes.title}>
          {data?.length ? `Signed in at ${plural(data.length, 'place')}` : 'Sessions'}
        </h3>
        {mayEdit && (data?.length ?? 0) > 0 && (
          <Button
            size="xs"
            variant="default"
            c="var(--danger)"
            onClick={() => actions.ask('signOut', user)}
          >
            Sign out everywhere…
          </Button>
        )}
      </div>
      {error && !data ? (
        <p className={classes.text} role="alert">
          {Problem.of(error).message}{' '}
          <button
            type="button"
            className={textClasses.textButton}
            data-brand
            onClick={() => void refetch()}
          >
            Try again
          </button>
        </p>
      ) : !data ? (
        [1, 2].map((i) => <Skeleton key={i} height={44} mb="xs" />)
      ) : data.length === 0 ? (
        <p className={classes.text}>{firstName(user.name)} is not signed in anywhere.</p>
      ) : (
        <ul className={classes.list}>
          {data.map((session) => (
            <li key={session.id}>
              <SessionLine session={session}>
                {mayEdit && (
                  <Button
                    size="xs"
                    variant="default"
                    loading={ending === session.id}
                    aria-label={`End the session in ${session.userAgent ? 'this browser' : 'this place'}`}
                    onClick={() => void end(session)}
                  >
                    End
                  </Button>
                )}
              </SessionLine>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
