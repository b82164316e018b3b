import { Problem } from '#/api/problem';
import type { Wire } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { useSave } from '#/form/useSave';
import type { Count, ListApi } from '../api';

export interface MergeResult<T> {
  record: T;
  merged: number;
  moved: Count[];
  /** Merged, but a chosen value was refused. */
  refused: Problem | null;
}

/** Merges one record after the other, since each response has the revision for the next. */
export function useMerge<T extends Saved>(api: ListApi<T>) {
  const saving = useSave();

  const merge = (stays: T, others: readonly T[], keeps: Wire): Promise<MergeResult<T> | null> =>
    saving.run(async () => {
      let record = stays;
      const moved = new Map<string, Count>();
      for (const other of others) {
        const answer = await api.merge(other.id, other.revision, record.id, record.revision);
        record = answer.record;
        for (const use of answer.moved) {
          const known = moved.get(use.label);
          moved.set(use.label, { ...use, count: (known?.count ?? 0) + use.count });
        }
      }
      let refused: Problem | null = null;
      // Last, because a unique code is free only once its record is merged.
      if (Object.keys(keeps).length > 0) {
        try {
          record = await api.update(record.id, record.revision, keeps);
        } catch (error) {
          refused = Problem.of(error);
          const wrong = new Set(refused.fields.map(({ field }) => field.split('.')[0]));
          const rest = Object.entries(keeps).filter(([name]) => !wrong.has(name));
          // The other values are saved without the refused ones.
          if (wrong.size > 0 && rest.length > 0) {
            record = await api
              .update(record.id, record.revision, Object.fromEntries(rest))
              .catch(() => record);
          }
        }
      }
      return { record, merged: others.length, moved: [...moved.values()], refused };
    });

  return { busy: saving.busy, problem: saving.problem, merge };
}
