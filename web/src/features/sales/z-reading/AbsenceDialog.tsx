import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { queries } from '#/api/queries';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { day } from '#/ui/format';
import { setAbsence } from './api';

interface Props {
  storeId: string;
  terminalId: string;
  date: string;
  onClose(): void;
}

/** Refetches whatever asks which readings a day must have. */
export const absenceChanged = () => queries.invalidateQueries({ queryKey: ['sales'] });

/** Records that a till has no reading of a day, with the reason that is printed. */
export function AbsenceDialog({ storeId, terminalId, date, onClose }: Props) {
  const [reason, setReason] = useState('');
  const saving = useSave();
  const save = () =>
    void saving.run(() => setAbsence({ storeId, terminalId, date }, reason), {
      said: 'Recorded',
      onSaved: async () => {
        await absenceChanged();
        onClose();
      },
    });
  return (
    <Dialog
      opened
      title={`No Z-reading of ${day(date)}${terminalId && `, till ${terminalId}`}`}
      confirm="Record that none exists"
      keep="Cancel"
      busy={saving.busy}
      onConfirm={save}
      onClose={onClose}
    >
      <SaveProblem save={saving} />
      <p>
        The day counts as complete without it. The reason is printed on the monthly sales report and
        in the NetSuite export.
      </p>
      <TextInput
        label="Why"
        data-autofocus
        value={reason}
        error={saving.errorOf('reason') ?? saving.errorOf('terminalId')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  );
}
