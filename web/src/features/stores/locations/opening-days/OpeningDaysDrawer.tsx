import { useState } from 'react';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { DaysDrawer, Weekdays } from '../DaysDrawer';
import { type OpeningDaysChange, removeOpeningDays, setOpeningDays } from './api';

interface Props {
  storeId: string;
  /** The change to edit; null for a new one. */
  change: OpeningDaysChange | null;
  /** In force today. */
  weekdays: readonly number[];
  onClose(): void;
}

/** On which weekdays a store opens from a day on. */
export function OpeningDaysDrawer({ storeId, change, weekdays, onClose }: Props) {
  const [from, setFrom] = useState(change?.from ?? today());
  const [open, setOpen] = useState<readonly number[]>(change?.weekdays ?? weekdays);
  const saving = useSave({ revision: change?.revision });
  const error = (field: string) =>
    saving.problem?.fields.find((one) => one.field === field)?.message;
  const save = () =>
    void saving.run(
      (revision) => setOpeningDays(storeId, from, { weekdays: [...open], revision }),
      { said: 'Opening days saved', onSaved: onClose },
    );
  const remove = ({ from: day }: OpeningDaysChange) =>
    void saving.run(() => removeOpeningDays(storeId, day), {
      said: 'Opening days removed',
      onSaved: onClose,
    });
  return (
    <DaysDrawer
      title="Opening days"
      busy={saving.busy}
      onSave={save}
      onRemove={change ? () => remove(change) : undefined}
      onClose={onClose}
    >
      <SaveProblem save={saving} />
      <DateField
        label="From"
        value={from}
        readOnly={change !== null}
        error={error('from')}
        onChange={setFrom}
      />
      <Weekdays legend="Open on" value={open} error={error('weekdays')} onChange={setOpen} />
    </DaysDrawer>
  );
}
