import { Drawer } from '@mantine/core';
import { useState } from 'react';
import { Segments } from '#/ui/Segments';
import type { User } from '../api';
import { Feed } from '../parts/Feed';
import classes from './PersonHistory.module.css';

/** What was changed about somebody, and when they came and went. */
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
      <Feed
        compact
        query={
          kind === 'people' ? { kind, recordId: user.id } : { kind, uid: user.uid ?? undefined }
        }
        page={page}
        onPage={setPage}
      />
    </Drawer.Body>
  );
}
