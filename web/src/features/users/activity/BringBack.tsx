import { Button } from '@mantine/core';
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { recordBase, recordKinds, recordRight } from '#/records';
import { lastingError } from '#/ui/toast';
import type { RecordChange } from './records';

/** The permission of lists that have none of their own. */
const LISTS = 'lists/allLists';

/** Restores a deleted record. Offered in the log, because its list no longer shows the record. */
export function BringBack({ item }: { item: RecordChange }) {
  const { kind, recordId, recordName } = item;
  const saving = useSave({ shows: 'toast' });
  const right = recordRight(kind) ?? LISTS;
  const mayCreate = useCan(right, 'create');
  const mayEdit = useCan(right, 'edit');
  const base = recordBase(kind);
  if (!base || !mayCreate || !mayEdit) return null;

  const bringBack = () =>
    saving.run(
      () =>
        requestAt('POST', `${base}/${encodeURIComponent(recordId)}/undo`, {
          json: { revision: null },
        }),
      {
        said: `${recordName || recordKinds[kind]?.one || 'It'} is back`,
        onSaved: () => void queries.invalidateQueries(),
        refused: ({ code }) => {
          if (code === 'stale') lastingError('It is back already.');
          return code === 'stale';
        },
      },
    );

  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={saving.busy}
      onClick={() => void bringBack()}
    >
      Bring back<span className="sr-only"> {recordName}</span>
    </Button>
  );
}
