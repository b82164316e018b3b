import { Select } from '@mantine/core';
import { useState } from 'react';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { DaysDrawer } from '../DaysDrawer';
import { type DayStartChange, removeDayStart, STARTS, setDayStart } from './api';

interface Props {
  storeId: string;
  /** The change to edit; null for a new one. */
  change: DayStartChange | null;
  /** In force today. */
  minutes: number;
  onClose(): void;
}

/** When a store's days begin from a day on. */
export function DayStartDrawer({ storeId, change, minutes, onClose }: Props) {
  const [from, setFrom] = useState(change?.from ?? today());
  const [begins, setBegins] = useState(change?.minutes ?? minutes);
  const saving = useSave({ revision: change?.revision });
  const error = (field: string) =>
    saving.problem?.fields.find((one) => one.field === field)?.message;
  const save = () =>
    void saving.run((revision) => setDayStart(storeId, from, { minutes: begins, revision }), {
      said: 'Start of the day saved',
      onSaved: onClose,
    });
  const remove = ({ from: day }: DayStartChange) =>
    void saving.run(() => removeDayStart(storeId, day), {
      said: 'Start of the day removed',
      onSaved: onClose,
    });
  return (
    <DaysDrawer
      title="Business day"
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
      <Select
        label="Day begins at"
        data={STARTS}
        value={String(begins)}
        onChange={(value) => value && setBegins(Number(value))}
        allowDeselect={false}
        searchable
        error={error('minutes')}
      />
    </DaysDrawer>
  );
}
