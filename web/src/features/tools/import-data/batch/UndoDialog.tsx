import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { count } from '#/ui/format';
import { importApi, keep, useImportLists } from '../api';
import { counted } from '../labels';
import type { Batch } from '../types';

interface Props {
  batch: Batch;
  onStarted(batch: Batch): void;
  onClose(): void;
}

/** Confirms undoing an import, with its effects. */
export function UndoDialog({ batch, onStarted, onClose }: Props) {
  const lists = useImportLists();
  const { busy, problem, run } = useSave();
  const list = lists.data?.find(({ slug }) => slug === batch.list) ?? {
    one: 'record',
    label: 'Records',
  };
  const { created = 0, updated = 0 } = batch.summary ?? {};

  const undo = () =>
    run(async () => {
      const next = await importApi.undo(batch.id);
      keep(next);
      onStarted(next);
    });

  return (
    <Dialog
      opened
      title={`Undo import of “${batch.fileName}”?`}
      keep="Keep import"
      confirm="Undo import"
      danger
      busy={busy}
      onConfirm={() => void undo()}
      onClose={onClose}
    >
      {created > 0 && (
        <p>
          {counted(created, list)} that it made {created === 1 ? 'is' : 'are'} deleted, except where
          something uses them by now.
        </p>
      )}
      {updated > 0 && (
        <p>
          {created > 0 ? `${count(updated)} that it changed` : counted(updated, list)}{' '}
          {updated === 1 ? 'goes' : 'go'} back to what {updated === 1 ? 'it was' : 'they were'}{' '}
          before, except where another user has changed {updated === 1 ? 'it' : 'them'} since.
        </p>
      )}
      <p>What cannot be taken back stays as it is, and its row says why.</p>
      {problem && <ErrorBox>{problem.message}</ErrorBox>}
    </Dialog>
  );
}
