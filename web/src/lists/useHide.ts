import { Problem } from '#/api/problem';
import type { Saved } from '#/form/useRecordForm';
import { plural } from '#/ui/format';
import { lastingError } from '#/ui/toast';
import type { ListApi } from './api';
import { sendInParts } from './bulk/send';
import type { ListDef } from './define';
import type { UndoStep } from './useUndo';

export interface HideActions<T> {
  hide: string;
  show: string;
  run(records: readonly T[], hidden: boolean): Promise<void>;
}

interface Options<T extends Saved> {
  def: ListDef<T>;
  api: ListApi<T>;
  label(record: T): string;
  changed(): void;
  offer(step: UndoStep): void;
}

/** Hides and shows records, such as by «inactive»; null for lists without that. */
export function useHide<T extends Saved>(options: Options<T>): HideActions<T> | null {
  const { def, api, label, changed, offer } = options;
  const by = def.hides?.by;
  if (!by) return null;

  async function run(records: readonly T[], hidden: boolean): Promise<void> {
    if (!by) return;
    const wanted = records.filter((record) => def.hides?.is(record) !== hidden);
    if (wanted.length === 0) return;
    const value = hidden ? by.hidden : !by.hidden;
    try {
      const sent = await sendInParts(api, wanted, { [by.field]: value }, label);
      if (sent.done.length > 0) {
        const verb = hidden ? by.hide : by.show;
        offer({
          message: `${verb}: ${plural(sent.done.length, def.one, def.many)}`,
          records: sent.done,
        });
      }
      const first = sent.failed[0];
      if (first) lastingError(`${first.name}: ${first.why}`);
    } catch (error) {
      lastingError(Problem.of(error).message);
    } finally {
      changed();
    }
  }

  return { hide: by.hide, show: by.show, run };
}
