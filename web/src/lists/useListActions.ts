import {
  IconArrowMerge,
  IconEye,
  IconEyeOff,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import type { Saved } from '#/form/useRecordForm';
import type { BulkAction, RowAction } from '#/table/types';
import type { ListDef } from './define';
import type { HideActions } from './useHide';

interface Options<T extends Saved> {
  def: ListDef<T>;
  mayEdit: boolean;
  mayDelete: boolean;
  mayMerge: boolean;
  open(row: T): void;
  /** Begins a new record below one. */
  addBelow?(row: T): void;
  remove(row: T): void;
  removeMany(rows: T[], clear: () => void): void;
  merge(rows: readonly T[], clear: () => void): void;
  edit(rows: readonly T[], clear: () => void): void;
  flip: HideActions<T> | null;
}

/** The actions on a row and on selected rows. */
export function useListActions<T extends Saved>(options: Options<T>) {
  const { def, mayEdit, mayDelete, mayMerge, open, remove, removeMany, merge, edit, flip } =
    options;
  const flips = mayEdit ? flip : null;
  const hidden = (row: T) => def.hides?.is(row) === true;

  const rowActions: RowAction<T>[] = [
    { label: mayEdit && !def.href ? 'Edit' : 'Open', icon: IconPencil, run: open },
  ];
  if (flips) {
    rowActions.push(
      {
        label: flips.hide,
        icon: IconEyeOff,
        shown: (row) => !hidden(row),
        run: (row) => void flips.run([row], true),
      },
      {
        label: flips.show,
        icon: IconEye,
        shown: hidden,
        run: (row) => void flips.run([row], false),
      },
    );
  }
  const { addBelow } = options;
  if (addBelow && def.subrecord) {
    rowActions.push({ label: def.subrecord.label, icon: IconPlus, run: addBelow });
  }
  if (mayMerge) {
    rowActions.push({
      label: 'Merge…',
      icon: IconArrowMerge,
      run: (row) => merge([row], () => {}),
    });
  }
  if (mayDelete) {
    rowActions.push({ label: `Delete ${def.one}`, icon: IconTrash, danger: true, run: remove });
  }

  const bulkActions: BulkAction<T>[] = [];
  if (mayEdit) bulkActions.push({ label: 'Edit…', run: edit });
  if (flips) {
    bulkActions.push(
      { label: flips.hide, run: (rows, clear) => void flips.run(rows, true).then(clear) },
      { label: flips.show, run: (rows, clear) => void flips.run(rows, false).then(clear) },
    );
  }
  if (mayMerge) bulkActions.push({ label: 'Merge…', run: merge });
  if (mayDelete) bulkActions.push({ label: 'Delete', danger: true, run: removeMany });
  return { rowActions, bulkActions };
}
