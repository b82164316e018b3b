import { type ReactNode, useState } from 'react';
import { Problem } from '#/api/problem';
import type { Field, Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { fromRecord, toWire } from '#/form/values';
import { Dialog } from '#/ui/Dialog';
import { plural } from '#/ui/format';
import { done, failed, undoable } from '#/ui/toast';
import type { ListApi } from './api';

interface Use {
  kind: string;
  label: string;
  count: number;
}

interface Options<T extends Saved> {
  api: ListApi<T>;
  fields: readonly Field[];
  one: string;
  many: string;
  nameOf(record: T): string;
  changed(): void;
}

interface InUse {
  name: string;
  message: string;
  uses: readonly Use[];
}

/** Deleting: one at once with a way back, several after a question, and never what is in use. */
export function useDelete<T extends Saved>(options: Options<T>) {
  const { api, fields, one, many, nameOf, changed } = options;
  const [inUse, setInUse] = useState<InUse | null>(null);
  const [asked, setAsked] = useState<{ records: T[]; clear(): void } | null>(null);
  const [busy, setBusy] = useState(false);

  function restore(records: readonly T[]): void {
    // The same fields again; nothing referred to the old ids, or they could not have been deleted.
    Promise.all(records.map((record) => api.create(kept(fields, record))))
      .then(() => done(records.length === 1 ? `${sentence(one)} restored` : 'Restored'))
      .catch((error) => failed(Problem.of(error).message))
      .finally(changed);
  }

  async function remove(record: T): Promise<boolean> {
    try {
      await api.remove(record.id);
      undoable(`${sentence(one)} deleted`, () => restore([record]));
      return true;
    } catch (error) {
      const problem = Problem.of(error);
      if (problem.code === 'inUse') {
        setInUse({
          name: nameOf(record),
          message: problem.message,
          uses: (problem.extras.uses ?? []) as Use[],
        });
      } else {
        failed(problem.message);
      }
      return false;
    } finally {
      changed();
    }
  }

  async function removeAll(): Promise<void> {
    if (!asked) return;
    setBusy(true);
    const gone: T[] = [];
    const stayed: string[] = [];
    for (const record of asked.records) {
      try {
        await api.remove(record.id);
        gone.push(record);
      } catch (error) {
        stayed.push(`${nameOf(record)}: ${Problem.of(error).message}`);
      }
    }
    setBusy(false);
    asked.clear();
    setAsked(null);
    changed();
    if (gone.length > 0) {
      undoable(`${plural(gone.length, one, many)} deleted`, () => restore(gone));
    }
    if (stayed.length > 0) {
      setInUse({
        name: plural(stayed.length, one, many),
        message: stayed.slice(0, 8).join(' '),
        uses: [],
      });
    }
  }

  const dialogs: ReactNode = (
    <>
      <Dialog
        opened={inUse !== null}
        title={`“${inUse?.name}” can't be deleted`}
        keep="Close"
        onClose={() => setInUse(null)}
      >
        {inUse && inUse.uses.length > 0 ? (
          <>
            <p>It is still used by:</p>
            <ul>
              {inUse.uses.map(({ kind, label, count }) => (
                <li key={`${kind} ${label}`}>
                  {count} {label}
                </li>
              ))}
            </ul>
            <p>Change those first, then delete it.</p>
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
        <p>Records that are in use stay. You can undo this for a few seconds.</p>
      </Dialog>
    </>
  );

  return {
    remove,
    removeMany: (records: T[], clear: () => void) => setAsked({ records, clear }),
    dialogs,
  };
}

function kept(fields: readonly Field[], record: object): Wire {
  const wire = toWire(fields, fromRecord(fields, record));
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null));
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
