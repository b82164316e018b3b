import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#/ui/Dialog';

interface Props {
  /** Why it is asked: a count was made since. */
  words: string;
  busy: boolean;
  /** With the instant that was entered. */
  onConfirm(happenedAt: string): void;
  onClose(): void;
}

/** Asks when goods came or left, in the stores' zone: UTC+8 all year. */
export function WhenDialog({ words, busy, onConfirm, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const at = Date.parse(`${typed}:00+08:00`);
  return (
    <Dialog
      opened
      title="When was that?"
      keep="Keep as it is"
      confirm="Save time"
      busy={busy}
      disabled={Number.isNaN(at)}
      onConfirm={() => onConfirm(new Date(at).toISOString())}
      onClose={onClose}
    >
      <p>{words}</p>
      <TextInput
        type="datetime-local"
        label="Date and time"
        required
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Dialog>
  );
}
