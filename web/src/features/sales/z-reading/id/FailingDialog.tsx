import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#/ui/Dialog';
import { money } from '#/ui/format';
import type { StepSaid, ZReading } from '../api';
import classes from './Review.module.css';
import type { ReviewModel } from './useReview';

interface Check {
  name: string;
  words: string;
}

interface Props {
  reading: ZReading;
  model: ReviewModel;
  onVerify(said: StepSaid): Promise<boolean>;
  /** Called when it was closed to correct the figures, with the fields refused. */
  onCorrect(fields: readonly string[]): void;
}

/**
 * What fails on verifying, asked about once: sums of the slip, which need a reason, and imported sales that differ.
 */
export function FailingDialog({ reading, model, onVerify, onCorrect }: Props) {
  const [reason, setReason] = useState('');
  const { problem } = model;
  const sums = problem?.code === 'checksFail';
  if (!sums && problem?.code !== 'salesDiffer') return null;
  const checks = (problem.extras.checks ?? []) as Check[];
  const by = sums ? reading.salesDiffer : Number(problem.extras.by);
  const differ = by != null && `Imported sales differ by ${money(Math.abs(by))}.`;
  return (
    <Dialog
      opened
      title={sums ? 'Some sums do not agree' : 'Imported sales differ'}
      keep="Correct the figures"
      confirm={sums ? 'Verify all the same' : 'Verify anyway'}
      disabled={sums && reason.trim() === ''}
      busy={model.busy === 'verify'}
      onConfirm={() => void onVerify({ reason: reason.trim() || undefined, salesSeen: by != null })}
      onClose={() => {
        model.setProblem(null);
        onCorrect(problem.fields.map(({ field }) => field));
      }}
    >
      {!sums && <p>{differ} Verify anyway?</p>}
      <ul className={classes.failing}>
        {checks.map(({ name, words }) => (
          <li key={name}>{words}</li>
        ))}
        {sums && differ && <li>{differ}</li>}
      </ul>
      {sums && (
        <Textarea
          label="Why the till printed it so"
          autosize
          minRows={2}
          maxLength={2000}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </Dialog>
  );
}
