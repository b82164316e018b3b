import { useState } from 'react';
import type { Saved } from '#/form/useRecordForm';
import { lastingError } from '#/ui/toast';
import type { ListApi } from './api';
import { BulkDialog } from './bulk/BulkDialog';
import type { ListDef, NameOf } from './define';
import { MERGED_AT_ONCE } from './merge/choices';
import { MergeDialog } from './merge/MergeDialog';
import type { useUndo } from './useUndo';

interface Options<T extends Saved> {
  def: ListDef<T>;
  api: ListApi<T>;
  rows: readonly (T | undefined)[];
  label(record: T): string;
  nameOf: NameOf;
  changed(gone?: string): unknown;
  offer: ReturnType<typeof useUndo<T>>['offer'];
}

/** The dialogs that change or merge several records at once. */
export function useRowDialogs<T extends Saved>(options: Options<T>) {
  const { def, api, rows, label, nameOf, changed, offer } = options;
  const [editing, setEditing] = useState<readonly T[] | null>(null);
  const [merging, setMerging] = useState<readonly T[] | null>(null);
  const [clear, setClear] = useState<() => void>(() => () => {});

  return {
    /** `done` clears the selection. */
    edit(chosen: readonly T[], done: () => void): void {
      setClear(() => done);
      setEditing(chosen);
    },
    merge(chosen: readonly T[], done: () => void): void {
      if (chosen.length > MERGED_AT_ONCE) {
        lastingError(`Choose at most ${MERGED_AT_ONCE} ${def.many} to merge at once.`);
        return;
      }
      setClear(() => done);
      setMerging(chosen);
    },
    /** Merges a record into others that are chosen in the dialog. */
    mergeOne: (record: T) => setMerging([record]),
    dialogs: (
      <>
        {editing && (
          <BulkDialog
            def={def}
            api={api}
            records={editing}
            rows={rows}
            label={label}
            changed={changed}
            offer={offer}
            onDone={() => {
              clear();
              setEditing(null);
            }}
            onClose={() => setEditing(null)}
          />
        )}
        {merging && (
          <MergeDialog
            def={def}
            api={api}
            records={merging}
            rows={rows}
            label={label}
            nameOf={nameOf}
            changed={changed}
            onDone={() => {
              clear();
              setMerging(null);
            }}
            onClose={() => setMerging(null)}
          />
        )}
      </>
    ),
  };
}
