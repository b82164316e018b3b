import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { EmptyState } from '#/ui/EmptyState';
import { type Entry, historyOf } from './api';
import { EntryLine } from './EntryLine';
import classes from './History.module.css';
import type { Label } from './labels';
import { NoChanges, Older } from './parts';
import { RestoreDialog } from './RestoreDialog';

interface Props {
  /** The list's path: `/api/products`. */
  base: string;
  id: string;
  /** The fields of the record's form, for labels and references. */
  labels: readonly Label[];
  canRestore: boolean;
  onRestored?(): void;
}

/** A record's history with the option to restore an earlier version. */
export function History({ base, id, labels, canRestore, onRestored }: Props) {
  const [back, setBack] = useState<Entry | null>(null);
  const history = useInfiniteQuery({
    queryKey: ['history', base, id],
    queryFn: ({ pageParam, signal }) => historyOf(base, id, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last, all) =>
      all.reduce((sum, { items }) => sum + items.length, 0) < last.total && last.items.length > 0
        ? all.length + 1
        : undefined,
    // Always refetch: the last change may be seconds old.
    staleTime: 0,
  });

  if (history.error && !history.data) {
    const problem = Problem.of(history.error);
    const locked = problem.status === 403;
    return (
      <EmptyState
        compact
        role="alert"
        icon={locked ? IconLock : IconAlertTriangle}
        title={locked ? 'Not Authorized' : 'The history could not be loaded'}
        text={problem.message}
        action={
          !locked && (
            <Button variant="default" onClick={() => void history.refetch()}>
              Try again
            </Button>
          )
        }
      />
    );
  }
  if (!history.data) return <Waiting />;

  const entries = history.data.pages.flatMap(({ items }) => items);
  const total = history.data.pages[0]?.total ?? 0;
  if (entries.length === 0) return <NoChanges />;
  const gone = entries[0]?.action === 'deleted';

  return (
    <div className={classes.history}>
      <ol className={classes.list}>
        {entries.map((entry, i) => (
          <EntryLine
            key={entry.seq}
            entry={entry}
            labels={labels}
            latest={i === 0}
            onBack={
              canRestore && i > 0 && entry.action !== 'deleted' ? () => setBack(entry) : undefined
            }
          />
        ))}
      </ol>
      <Older history={history} left={total - entries.length} />
      {back && (
        <RestoreDialog
          base={base}
          id={id}
          entry={back}
          entries={entries}
          gone={gone}
          labels={labels}
          onClose={() => setBack(null)}
          onRestored={() => {
            setBack(null);
            void history.refetch();
            onRestored?.();
          }}
        />
      )}
    </div>
  );
}

function Waiting() {
  return (
    <div className={classes.history} aria-busy>
      {[46, 34, 52, 40].map((width) => (
        <div key={width} className={classes.entry}>
          <Skeleton height={11} width={`${width}%`} />
          <Skeleton height={9} width={`${width + 24}%`} mt={10} />
        </div>
      ))}
    </div>
  );
}
