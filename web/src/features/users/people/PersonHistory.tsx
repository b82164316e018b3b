import { Drawer } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '#/ui/EmptyState';
import { Segments } from '#/ui/Segments';
import type { User } from '../api';
import { ActivityFeed } from '../parts/ActivityFeed';
import classes from './PersonHistory.module.css';

/** A user's log: changes by and about them, and sign-ins. */
export function PersonHistory({ user }: { user: User }) {
  const [kind, setKind] = useState<'people' | 'signIn'>('people');
  const [page, setPage] = useState(1);
  return (
    <Drawer.Body className={classes.body}>
      <div className={classes.head}>
        <Segments
          label="Shown"
          value={kind}
          options={[
            { value: 'people', label: 'Changes' },
            { value: 'signIn', label: 'Sign-ins' },
          ]}
          onChange={(next) => {
            setKind(next);
            setPage(1);
          }}
        />
      </div>
      {user.uid ? (
        <ActivityFeed compact query={{ kind, uid: user.uid }} page={page} onPage={setPage} />
      ) : (
        <EmptyState
          compact
          icon={IconHistory}
          title="Nothing has happened yet"
          text="The account is made when a password is set for the first time."
        />
      )}
    </Drawer.Body>
  );
}
