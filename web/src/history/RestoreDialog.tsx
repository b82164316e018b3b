import { useQuery } from '@tanstack/react-query';
import { Problem } from '#/api/problem';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { moment } from '#/ui/format';
import { currentOf, type Entry, restore } from './api';
import { Changes } from './Changes';
import { changesToRestore, type Label } from './labels';

interface Props {
  base: string;
  id: string;
  entry: Entry;
  /** Newest first, down to `entry` at least. */
  entries: readonly Entry[];
  /** The record is deleted now. */
  gone: boolean;
  labels: readonly Label[];
  onRestored(): void;
  onClose(): void;
}

/** Shows what restoring would change, and confirms it. */
export function RestoreDialog(props: Props) {
  const { base, id, entry, entries, gone, labels, onRestored, onClose } = props;
  const saving = useSave();
  const { problem } = saving;
  const changes = gone ? [] : changesToRestore(entries, entry);
  // The revision this preview is based on: the server refuses if the record changed since.
  const now = useQuery({
    queryKey: ['history', base, id, 'now', entries[0]?.seq],
    queryFn: () => currentOf(base, id),
    enabled: !gone,
    staleTime: 0,
    gcTime: 0,
  });

  const go = () =>
    saving.run(() => restore(base, id, entry.seq, gone ? null : (now.data?.revision ?? null)), {
      said: 'Earlier version restored',
      onSaved: onRestored,
    });

  const same = !gone && changes.length === 0;
  return (
    <Dialog
      opened
      size={560}
      title={`Restore the version of ${moment(entry.at)}?`}
      keep={same ? 'Close' : 'Keep as it is'}
      confirm={same ? undefined : 'Restore this version'}
      busy={saving.busy}
      disabled={!gone && !now.data}
      onConfirm={() => void go()}
      onClose={onClose}
    >
      {gone ? (
        <p>The deleted record comes back as it was then.</p>
      ) : same ? (
        <p>This version is the same as the record now.</p>
      ) : (
        <>
          <p>
            These fields go back. That is a change too: it is added to the history, and can be taken
            back.
          </p>
          <Changes changes={changes} labels={labels} />
        </>
      )}
      {(problem ?? now.error) && (
        <ErrorBox focus>{Problem.of(problem ?? now.error).message}</ErrorBox>
      )}
    </Dialog>
  );
}
