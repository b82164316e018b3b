import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#/ui/Dialog';
import classes from './Review.module.css';
import type { ReviewModel } from './useReview';

interface Check {
  name: string;
  words: string;
}

interface Props {
  model: ReviewModel;
  onVerify(reason: string): Promise<boolean>;
}

/** The failed checks on verifying: correct them, or say why the till printed them so. */
export function FailingDialog({ model, onVerify }: Props) {
  const [reason, setReason] = useState('');
  const { problem } = model;
  if (problem?.code !== 'checksFail') return null;
  const checks = (problem.extras.checks ?? []) as Check[];
  return (
    <Dialog
      opened
      title="Some sums do not agree"
      keep="Correct the figures"
      confirm="Verify all the same"
      disabled={reason.trim() === ''}
      busy={model.busy === 'verify'}
      onConfirm={() => void onVerify(reason.trim())}
      onClose={() => model.setProblem(null)}
    >
      <ul className={classes.failing}>
        {checks.map(({ name, words }) => (
          <li key={name}>{words}</li>
        ))}
      </ul>
      <Textarea
        label="Why the till printed it so"
        autosize
        minRows={2}
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  );
}
