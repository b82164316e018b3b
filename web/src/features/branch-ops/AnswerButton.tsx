import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Beyond, TAKE_IN } from '#/documents/beyond';
import { MoreThanExpected } from '#/documents/MoreThanExpected';
import type { AsideRecord } from '#/offline/writeQueue';
import { answerHeld } from './queue';
import type { BranchRecord, RecordKind } from './types';

const CONFIRM: Partial<Record<RecordKind, string>> = { waste: 'Throw away anyway' };

interface Props {
  item: AsideRecord<BranchRecord>;
  question: Beyond;
}

/** Answers the question about a held document; it is then sent, now or with the next connection. */
export function AnswerButton({ item, question }: Props) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function answer(said: string): Promise<void> {
    setBusy(true);
    setError(null);
    const safe = await answerHeld(item, said);
    setBusy(false);
    if (!safe) setError('This device is full. The answer was not saved.');
  }

  return (
    <>
      <Button size="md" h={44} onClick={() => setOpen(true)}>
        Answer
      </Button>
      {open && (
        <MoreThanExpected
          beyond={question}
          confirm={
            question.recalled
              ? TAKE_IN
              : ((item.record && CONFIRM[item.record.kind]) ?? 'Send anyway')
          }
          reason={reason}
          busy={busy}
          error={error}
          onReason={setReason}
          onConfirm={(said) => void answer(said)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
