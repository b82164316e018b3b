import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconUnlink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { can, useMe } from '#/api/session';
import { recordPath, recordRight } from '#/records';
import { EmptyState } from '#/ui/EmptyState';
import { count, plural } from '#/ui/format';
import { type UseOf, usesOf } from './api';
import classes from './Uses.module.css';

interface Props {
  base: string;
  slug: string;
  id: string;
  /** «unit of measure». */
  one: string;
}

/** A record's uses with names. */
export function useUsesOf(base: string, slug: string, id: string, enabled = true) {
  return useQuery({
    queryKey: ['usedBy', slug, id],
    queryFn: ({ signal }) => usesOf(base, id, signal),
    enabled: enabled && Boolean(id),
    // Never fresh: other lists change uses, and their events do not invalidate this query.
    staleTime: 0,
  });
}

/** The records that refer to a record, with links. */
export function UsesPanel({ base, slug, id, one }: Props) {
  const { data, error, refetch } = useUsesOf(base, slug, id);
  if (error && !data) {
    return (
      <EmptyState
        compact
        role="alert"
        icon={IconAlertTriangle}
        title="This could not be loaded"
        text={Problem.of(error).message}
        action={
          <Button variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  if (!data) {
    return (
      <div aria-busy>
        {[38, 62, 54].map((width) => (
          <Skeleton key={width} height={11} width={`${width}%`} mb={14} />
        ))}
      </div>
    );
  }
  if (data.total === 0) {
    return (
      <EmptyState
        compact
        icon={IconUnlink}
        title="Not used"
        text={`Nothing uses this ${one}; it can be deleted.`}
      />
    );
  }
  return (
    <div className={classes.uses}>
      {data.uses.map((use) => (
        <Group key={`${use.kind} ${use.label}`} use={use} />
      ))}
    </div>
  );
}

function Group({ use }: { use: UseOf }) {
  const me = useMe();
  const { kind, label, count: n, records = [], hidden = 0 } = use;
  const open = can(me, recordRight(kind));
  const left = n - records.length - hidden;
  return (
    <section className={classes.group}>
      <h3 className={classes.title}>
        {label.charAt(0).toUpperCase() + label.slice(1)} <span className="num">{count(n)}</span>
      </h3>
      {records.length > 0 && (
        <ul className={classes.list}>
          {records.map((record) => {
            const path = open ? recordPath(kind, record.id) : null;
            return (
              <li key={record.id}>
                {path ? (
                  <Link to={path}>{record.name || record.id}</Link>
                ) : (
                  record.name || record.id
                )}
              </li>
            );
          })}
        </ul>
      )}
      {records.length > 0 && left > 0 && (
        <p className={classes.more}>and {plural(left, 'more', 'more')}</p>
      )}
      {hidden > 0 && (
        <p className={classes.more}>
          {records.length > 0 ? `and ${count(hidden)} more` : count(hidden)} that you may not see
        </p>
      )}
    </section>
  );
}
