import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { plural } from '#/ui/format';
import { withdraw } from './api';
import { countsOf, type Leaving, requestsOf } from './withdrawals';

interface Props {
  records: readonly Leaving[];
  /** Called when all are withdrawn. */
  onDone(): void;
  onClose(): void;
}

/** Asks for the reason, and withdraws records. */
export function WithdrawDialog({ records, onDone, onClose }: Props) {
  const [reason, setReason] = useState('');
  const saving = useSave();
  const many = records.length > 1;
  const go = () =>
    void saving.run(
      async () => {
        for (const json of requestsOf(records, reason)) await withdraw(json);
      },
      {
        said: `${plural(records.length, 'record')} withdrawn`,
        onSaved: () => {
          onClose();
          onDone();
        },
      },
    );
  return (
    <Dialog
      opened
      title={
        many ? `Withdraw ${plural(records.length, 'record')}` : `Withdraw ${records[0]?.externalId}`
      }
      confirm={many ? 'Withdraw records' : 'Withdraw record'}
      keep={many ? 'Keep records' : 'Keep record'}
      danger
      busy={saving.busy}
      onConfirm={go}
      onClose={onClose}
    >
      {many && <p>{countsOf(records)}.</p>}
      <p>
        {many ? 'These days' : 'The day'} can then be exported again, in any layout. Larder deletes
        nothing in NetSuite: delete {many ? 'the records' : 'the record'} there first.
      </p>
      <SaveProblem save={saving} />
      <TextInput
        label="Why"
        maxLength={200}
        value={reason}
        error={saving.errorOf('reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  );
}
