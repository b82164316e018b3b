import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { reopenWeek, type Week } from './api';

/** Reopens a frozen week; its history keeps the reason. */
export function ReopenDialog({ week, onClose }: { week: Week; onClose(): void }) {
  const [reason, setReason] = useState('');
  const saving = useSave();
  const [wrong, setWrong] = useState<string | null>(null);

  async function reopen(): Promise<void> {
    if (reason.trim() === '') {
      setWrong('Say why the week is opened again.');
      return;
    }
    await saving.run(() => reopenWeek(week.week, reason), {
      said: `${week.label} is open again`,
      onSaved: onClose,
      refused: ({ fields, message }) => setWrong(fields[0]?.message ?? message),
    });
  }

  return (
    <Dialog
      opened
      danger
      title={`Open ${week.label} again`}
      confirm="Open again"
      keep="Keep it frozen"
      busy={saving.busy}
      onConfirm={() => void reopen()}
      onClose={onClose}
    >
      <p>
        Its figures can then change when it is made again. People who used them should know why.
      </p>
      <Textarea
        label="Reason"
        required
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        error={wrong}
        data-autofocus
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setWrong(null);
        }}
      />
    </Dialog>
  );
}
