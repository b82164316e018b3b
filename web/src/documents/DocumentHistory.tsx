import { Button, Skeleton } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import type { Entry } from '#/history/api';
import { EntryLine } from '#/history/EntryLine';
import type { Label } from '#/history/labels';
import { NoChanges, Older } from '#/history/parts';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { moment } from '#/ui/format';
import classes from './DocumentHistory.module.css';
import type { DocumentDef, DocumentHead } from './types';

const SIZE = 20;
const NONE: readonly Label[] = [];

interface Props<H extends DocumentHead> {
  def: DocumentDef<H>;
  document: H;
}

/** A document's changes, line by line, in a drawer. */
export function DocumentHistory<H extends DocumentHead>({ def, document }: Props<H>) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        className={`${classes.open} no-print`}
        leftSection={<IconHistory size={15} stroke={1.7} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        History
      </Button>
      <DrawerFrame
        opened={open}
        title={`History of ${def.number(document)}`}
        onClose={() => setOpen(false)}
      >
        {open && <Entries def={def} document={document} />}
      </DrawerFrame>
    </>
  );
}

function Entries<H extends DocumentHead>({ def, document }: Props<H>) {
  const { kind, id, revision } = document;
  const history = useInfiniteQuery({
    queryKey: ['history', 'document', kind, id, revision],
    queryFn: ({ pageParam, signal }) =>
      request('GET', '/api/history', {
        query: { kind, id, page: pageParam, pageSize: SIZE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length * SIZE < last.total ? all.length + 1 : undefined),
  });
  if (history.error && !history.data) {
    return (
      <EmptyState
        compact
        icon={IconHistory}
        role="alert"
        title="The history could not be loaded"
        text={Problem.of(history.error).message}
        action={
          <Button variant="default" onClick={() => void history.refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  if (!history.data) {
    return (
      <div className={classes.body}>
        {[90, 60, 90].map((height, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
          <Skeleton key={i} height={height} mb={16} />
        ))}
      </div>
    );
  }
  const entries = history.data.pages.flatMap(({ items }) => items);
  const total = history.data.pages[0]?.total ?? 0;
  if (entries.length === 0) return <NoChanges />;
  return (
    <div className={classes.body}>
      <ol className={classes.list}>
        {entries.map((entry, i) => (
          <EntryLine key={entry.seq} entry={inWords(entry, def)} labels={NONE} latest={i === 0} />
        ))}
      </ol>
      <Older history={history} left={total - entries.length} />
    </div>
  );
}

/** Fields only the ledger needs. */
const HIDDEN = new Set(['postings', 'pendingLines', 'receivedAtGiven']);
const MOMENT = /^\d{4}-\d\d-\d\dT/;

/** The entry with readable statuses and times. */
function inWords<H extends DocumentHead>(entry: Entry, def: DocumentDef<H>): Entry {
  const word = (field: string) => (value: unknown) => {
    if (typeof value !== 'string') return value;
    if (field === 'status') return def.states[value]?.label ?? value;
    return MOMENT.test(value) ? moment(value) : value;
  };
  const changes = entry.changes.filter(({ field }) => !HIDDEN.has(field));
  return {
    ...entry,
    changes: changes.map((change) => {
      const said = word(change.field);
      return { ...change, before: said(change.before), after: said(change.after) };
    }),
  };
}
