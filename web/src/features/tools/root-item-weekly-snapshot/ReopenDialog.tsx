import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { Dialog } from '#/ui/Dialog';
import { done } from '#/ui/toast';
import { reopenWeek, type Week } from './api';

/** Opens a frozen week again; its history keeps the reason. */
export function ReopenDialog({ week, onClose }: { week: Week; onClose(): void }) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);

  async function reopen(): Promise<void> {
    if (reason.trim() === '') {
      setWrong('Say why the week is opened again.');
      return;
    }
    setBusy(true);
    try {
      await reopenWeek(week.week, reason);
      done(`${week.label} is open again`);
      onClose();
    } catch (error) {
      const problem = Problem.of(error);
      setWrong(problem.fields[0]?.message ?? problem.message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      opened
      danger
      title={`Open ${week.label} again`}
      confirm="Open again"
      keep="Keep it frozen"
      busy={busy}
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
