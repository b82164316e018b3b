import { Button, Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan, useMe } from '#/api/session';
import { useBaseRecord } from '#/form/useBaseRecord';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerLoading } from '#/ui/DrawerLoading';
import { DrawerPanel, DrawerViews, useDrawerView } from '#/ui/DrawerViews';
import { done } from '#/ui/toast';
import { peopleChanged, type User, usersApi } from '../api';
import { timeAgo } from '../labels';
import { Avatar } from '../parts/Avatar';
import { USERS } from '../UsersFrame';
import { RoleLabel, StatusOf } from './columns';
import { PersonAccess } from './PersonAccess';
import type { PersonActions } from './PersonDialogs';
import { PersonHistory } from './PersonHistory';
import { TempPassword } from './TempPassword';
import classes from './UserDrawer.module.css';
import { UserForm } from './UserForm';

const VIEWS = [
  { value: 'details', label: 'Details' },
  { value: 'access', label: 'Sign-in' },
  { value: 'history', label: 'History' },
] as const;

interface Props {
  /** An id, `new`, or nothing. */
  open: string;
  /** The user, if the table has it already. */
  known: User | undefined;
  actions: PersonActions;
  onOpen(id: string): void;
  onClose(): void;
}

/** A user in a drawer: details, access and history; or the form for a new one. */
export function UserDrawer({ open, known, actions, onOpen, onClose }: Props) {
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
              onResetLink={() => actions.ask('resetLink', made)}
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
        <DrawerLoading
          title="This user could not be opened"
          failed={one.error ? Problem.of(one.error).message : null}
          rows={5}
          onClose={onClose}
        />
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
        <Existing key={user.id} user={user} actions={actions} onClose={onClose} />
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
          <RoleLabel user={user} />
          <span className={classes.seen}>
            {user.lastSignInAt
              ? `Signed in ${timeAgo(user.lastSignInAt).toLowerCase()}`
              : 'Never signed in'}
          </span>
        </span>
      </div>
    </div>
  );
}

function Existing({
  user,
  actions,
  onClose,
}: {
  user: User;
  actions: PersonActions;
  onClose(): void;
}) {
  const me = useMe();
  const mayEdit = useCan(USERS, 'edit');
  const { base, onDirty } = useBaseRecord(user);
  const [view, setView] = useDrawerView(VIEWS);
  const reason = mayEdit
    ? (user.lockedBecause ?? null)
    : 'You may look at people but not change them.';

  return (
    <>
      <Head user={user} />
      <DrawerViews
        compact
        label={`About ${user.name}`}
        views={VIEWS}
        view={view}
        onView={setView}
      />
      <DrawerPanel hidden={view !== 'details'}>
        <UserForm
          key={base.revision}
          user={base}
          onDirty={onDirty}
          readOnly={reason !== null}
          reason={reason ?? undefined}
          onClose={onClose}
          onSaved={() => {
            peopleChanged();
            done('User saved');
            onClose();
          }}
        />
      </DrawerPanel>
      {view === 'access' && (
        <PersonAccess
          user={user}
          actions={actions}
          mayEdit={reason === null}
          self={user.uid === me.user.uid}
        />
      )}
      {view === 'history' && <PersonHistory user={user} />}
    </>
  );
}
