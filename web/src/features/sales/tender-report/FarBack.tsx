import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Problem } from '#/api/problem';

/** A reason for a day before the limit, asked for after such a day was refused. */
export function useFarBack(problem: Problem | null) {
  const [asked, setAsked] = useState(false);
  const [reason, setReason] = useState('');
  if (problem?.code === 'backdated' && !asked) setAsked(true);
  const said = asked && reason.trim() !== '';
  return {
    body: { override: said, reason: said ? reason.trim() : '' },
    field: asked && (
      <TextInput
        label="Why so far back"
        maxLength={500}
        value={reason}
        error={problem?.fields.find(({ field }) => field === 'reason')?.message}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    ),
  };
}
