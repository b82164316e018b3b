import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#/ui/Dialog';

interface Props {
  /** Why it is asked: a count was made since. */
  words: string;
  /** Why the server refused the time that was entered. */
  fault?: string;
  busy: boolean;
  /** With the instant that was entered. */
  onConfirm(happenedAt: string): void;
  onClose(): void;
}

/** Asks when goods came or left, in the stores' zone: UTC+8 all year. */
export function WhenDialog({ words, fault, busy, onConfirm, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [refused, setRefused] = useState('');
  const at = Date.parse(`${typed}:00+08:00`);
  const error = at > Date.now() ? 'Choose a time that has passed.' : refused === typed && fault;
  return (
    <Dialog
      opened
      title="When was that?"
      keep="Keep as it is"
      confirm="Save time"
      busy={busy}
      disabled={Number.isNaN(at) || at > Date.now()}
      onConfirm={() => {
        setRefused(typed);
        onConfirm(new Date(at).toISOString());
      }}
      onClose={onClose}
    >
      <p>{words}</p>
      <TextInput
        type="datetime-local"
        label="Date and time"
        required
        data-autofocus
        error={error}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Dialog>
  );
}
