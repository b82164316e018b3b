import { Button } from '@mantine/core';
import { useState } from 'react';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { recordBase, recordKinds, recordRight } from '#/records';
import { done, lastingError } from '#/ui/toast';
import type { RecordChange } from './records';

/** The permission of lists that have none of their own. */
const LISTS = 'lists/allLists';

/** Restores a deleted record. Offered in the log, because its list no longer shows the record. */
export function BringBack({ item }: { item: RecordChange }) {
  const { kind, recordId, recordName } = item;
  const [busy, setBusy] = useState(false);
  const right = recordRight(kind) ?? LISTS;
  const mayCreate = useCan(right, 'create');
  const mayEdit = useCan(right, 'edit');
  const base = recordBase(kind);
  if (!base || !mayCreate || !mayEdit) return null;

  async function bringBack(): Promise<void> {
    setBusy(true);
    try {
      await request('POST', `${base}/${encodeURIComponent(recordId)}/undo`, {
        json: { revision: null },
      });
      done(`${recordName || recordKinds[kind]?.one || 'It'} is back`);
      void queries.invalidateQueries();
    } catch (error) {
      const problem = Problem.of(error);
      lastingError(problem.code === 'stale' ? 'It is back already.' : problem.message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button size="compact-xs" variant="default" loading={busy} onClick={() => void bringBack()}>
      Bring back<span className="sr-only"> {recordName}</span>
    </Button>
  );
}
