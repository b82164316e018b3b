import { type ReactNode, useState } from 'react';
import { Problem } from '#/api/problem';
import type { Saved } from '#/form/useRecordForm';
import { Dialog } from '#/ui/Dialog';
import { count, plural } from '#/ui/format';
import { lastingError } from '#/ui/toast';
import type { Count, ListApi } from './api';
import { Outcomes } from './bulk/Outcomes';
import type { UndoStep } from './useUndo';

interface Options<T extends Saved> {
  api: ListApi<T>;
  one: string;
  many: string;
  nameOf(record: T): string;
  /** Called after deleting; with the id if it was one record. */
  changed(gone?: string): void;
  /** Offers to undo. */
  offer(step: UndoStep): void;
  /** Opens the merge dialog; absent where merging is not allowed. */
  onMerge?(record: T): void;
}

interface InUse<T> {
  record: T;
  message: string;
  uses: readonly Count[];
}

interface Stayed {
  name: string;
  why: string;
}

/** Deletes one record at once with «Undo», several after a confirmation; records in use cannot be deleted. */
export function useDelete<T extends Saved>(options: Options<T>) {
  const { api, one, many, nameOf, changed, offer } = options;
  const [inUse, setInUse] = useState<InUse<T> | null>(null);
  const [stayed, setStayed] = useState<Stayed[] | null>(null);
  const [asked, setAsked] = useState<{ records: T[]; clear(): void } | null>(null);
  const [busy, setBusy] = useState(false);

  async function remove(record: T): Promise<boolean> {
    let gone: string | undefined;
    try {
      await api.remove(record.id);
      gone = record.id;
      offer({
        message: `${capitalize(one)} deleted`,
        name: nameOf(record),
        records: [{ id: record.id, revision: null }],
      });
      return true;
    } catch (error) {
      const problem = Problem.of(error);
      if (problem.code === 'inUse') {
        setInUse({
          record,
          message: problem.message,
          uses: (problem.extras.uses ?? []) as Count[],
        });
      } else {
        lastingError(problem.message);
      }
      return false;
    } finally {
      changed(gone);
    }
  }

  async function removeAll(): Promise<void> {
    if (!asked) return;
    setBusy(true);
    const gone: T[] = [];
    const left: Stayed[] = [];
    for (const record of asked.records) {
      try {
        await api.remove(record.id);
        gone.push(record);
      } catch (error) {
        left.push({ name: nameOf(record), why: Problem.of(error).message });
      }
    }
    setBusy(false);
    asked.clear();
    setAsked(null);
    changed();
    if (gone.length > 0) {
      offer({
        message: `${plural(gone.length, one, many)} deleted`,
        records: gone.map(({ id }) => ({ id, revision: null })),
      });
    }
    if (left.length > 0) setStayed(left);
  }

  const dialogs: ReactNode = (
    <>
      <Dialog
        opened={inUse !== null}
        title={`“${inUse ? nameOf(inUse.record) : ''}” can't be deleted`}
        keep="Close"
        confirm={options.onMerge && inUse ? 'Merge into another…' : undefined}
        onConfirm={() => {
          const record = inUse?.record;
          setInUse(null);
          if (record) options.onMerge?.(record);
        }}
        onClose={() => setInUse(null)}
      >
        {inUse && inUse.uses.length > 0 ? (
          <>
            <p>{inUse.message}</p>
            <ul>
              {inUse.uses.map(({ kind, label, count: n }) => (
                <li key={`${kind} ${label}`}>
                  {count(n)} {label}
                </li>
              ))}
            </ul>
          </>
        ) : (
          <p>{inUse?.message}</p>
        )}
      </Dialog>
      <Dialog
        opened={asked !== null}
        title={`Delete ${plural(asked?.records.length ?? 0, one, many)}?`}
        keep={`Keep ${many}`}
        confirm={`Delete ${asked?.records.length === 1 ? one : many}`}
        danger
        busy={busy}
        onConfirm={() => void removeAll()}
        onClose={() => setAsked(null)}
      >
        <p>Records that are in use stay. You can undo this.</p>
      </Dialog>
      <Dialog
        opened={stayed !== null}
        size={560}
        title={`${plural(stayed?.length ?? 0, one, many)} stayed`}
        keep="Close"
        onClose={() => setStayed(null)}
      >
        <Outcomes rows={stayed ?? []} />
      </Dialog>
    </>
  );

  return {
    remove,
    removeMany: (records: T[], clear: () => void) => setAsked({ records, clear }),
    dialogs,
  };
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
