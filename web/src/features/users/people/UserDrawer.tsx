import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan, useMe } from '#/api/session';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { done } from '#/ui/toast';
import { peopleChanged, type User, usersApi } from '../api';
import { USERS } from '../Frame';
import { Avatar } from '../parts/Avatar';
import { ago } from '../words';
import { RoleWords, StatusOf } from './columns';
import { PersonAccess } from './PersonAccess';
import type { PersonDeeds } from './PersonDialogs';
import { PersonHistory } from './PersonHistory';
import { TempPassword } from './TempPassword';
import classes from './UserDrawer.module.css';
import { UserForm } from './UserForm';

const VIEWS = [
  { value: 'details', label: 'Details' },
  { value: 'access', label: 'Sign-in' },
  { value: 'history', label: 'History' },
] as const;
type View = (typeof VIEWS)[number]['value'];

interface Props {
  /** An id, `new`, or nothing. */
  open: string;
  /** The user, if the table has it already. */
  known: User | undefined;
  deeds: PersonDeeds;
  onOpen(id: string): void;
  onClose(): void;
}

/** Everything about one person. */
export function UserDrawer({ open, known, deeds, onOpen, onClose }: Props) {
  const isNew = open === 'new';
  const [made, setMade] = useState<User | null>(null);
  const one = useQuery({
    queryKey: ['people', 'users', 'one', open],
    queryFn: ({ signal }) => usersApi.get(open, signal),
    enabled: Boolean(open) && !isNew,
  });
  const user = isNew ? null : (one.data ?? known);
  const mayCreate = useCan(USERS, 'create');

  if (made) {
    const close = () => {
      setMade(null);
      peopleChanged();
      onClose();
    };
    return (
      <DrawerFrame opened title={`${made.name} is added`} size={600} onClose={close}>
        <Drawer.Body className={classes.made}>
          <Head user={made} />
          <div className={classes.madeBody}>
            <TempPassword
              user={made}
              before={null}
              onResetLink={() => deeds.ask('resetLink', made)}
            >
              <Button
                variant="default"
                onClick={() => {
                  setMade(null);
                  peopleChanged();
                  onOpen('new');
                }}
              >
                Add another
              </Button>
              <Button onClick={close}>Done</Button>
            </TempPassword>
          </div>
        </Drawer.Body>
      </DrawerFrame>
    );
  }

  return (
    <DrawerFrame
      opened={Boolean(open)}
      title={isNew ? 'New user' : (user?.name ?? 'User')}
      size={600}
      onClose={onClose}
    >
      {user === undefined ? (
        <Drawer.Body p="lg">
          {one.error ? (
            <EmptyState
              icon={IconFileUnknown}
              role="alert"
              title="This user could not be opened"
              text={Problem.of(one.error).message}
              action={
                <Button variant="default" onClick={onClose}>
                  Close
                </Button>
              }
            />
          ) : (
            Array.from({ length: 5 }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
              <Skeleton key={i} height={36} mb="lg" />
            ))
          )}
        </Drawer.Body>
      ) : user === null ? (
        <UserForm
          key="new"
          user={null}
          readOnly={!mayCreate}
          onClose={onClose}
          onSaved={(saved, how) => {
            if (how === 'temporary') {
              setMade(saved);
              return;
            }
            peopleChanged();
            done(`${saved.name} invited`);
            onClose();
          }}
        />
      ) : (
        <Existing key={user.id} user={user} deeds={deeds} onClose={onClose} />
      )}
    </DrawerFrame>
  );
}

function Head({ user }: { user: User }) {
  return (
    <div className={classes.head}>
      <Avatar name={user.name} email={user.email} large />
      <div className={classes.who}>
        <span className={classes.email}>{user.email}</span>
        <span className={classes.line}>
          <StatusOf status={user.status} />
          <RoleWords user={user} />
          <span className={classes.seen}>
            {user.lastSignInAt
              ? `Signed in ${ago(user.lastSignInAt).toLowerCase()}`
              : 'Never signed in'}
          </span>
        </span>
      </div>
    </div>
  );
}

function Existing({ user, deeds, onClose }: { user: User; deeds: PersonDeeds; onClose(): void }) {
  const me = useMe();
  const mayEdit = useCan(USERS, 'edit');
  const [search, setSearch] = useSearchParams();
  // Somebody else's change is shown at once, but never under what is being typed.
  const dirty = useRef(false);
  const base = useRef(user);
  if (!dirty.current) base.current = user;
  const view = VIEWS.find(({ value }) => value === search.get('view'))?.value ?? 'details';
  const reason = mayEdit
    ? (user.lockedBecause ?? null)
    : 'You may look at people but not change them.';

  const setView = (next: View) =>
    setSearch(
      (now) => {
        const params = new URLSearchParams(now);
        if (next === 'details') params.delete('view');
        else params.set('view', next);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );

  return (
    <>
      <Head user={user} />
      <nav className={classes.views} aria-label={`About ${user.name}`}>
        {VIEWS.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            className={classes.view}
            aria-current={value === view ? 'page' : undefined}
            onClick={() => setView(value)}
          >
            {label}
          </button>
        ))}
      </nav>
      {/* The form stays where it is, so that nothing typed is lost by looking elsewhere. */}
      <div className={classes.panel} hidden={view !== 'details'}>
        <UserForm
          key={base.current.revision}
          user={base.current}
          onDirty={(now) => {
            dirty.current = now;
          }}
          readOnly={reason !== null}
          reason={reason ?? undefined}
          onClose={onClose}
          onSaved={() => {
            peopleChanged();
            done('User saved');
            onClose();
          }}
        />
      </div>
      {view === 'access' && (
        <PersonAccess
          user={user}
          deeds={deeds}
          mayEdit={reason === null}
          self={user.uid === me.user.uid}
        />
      )}
      {view === 'history' && <PersonHistory user={user} />}
    </>
  );
}
