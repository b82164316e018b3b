import { Button, Menu, Textarea } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useCan } from '#/api/session';
import { Dialog } from '#/ui/Dialog';
import { done } from '#/ui/toast';
import type { Step, ZReading } from '../api';
import classes from './Review.module.css';
import type { ReviewModel } from './useReview';

interface Labels {
  label: string;
  done: string;
  right: 'approve' | 'edit';
  reason?: 'needed' | 'offered';
  asks?: string;
  danger?: boolean;
}

const STEPS: Readonly<Partial<Record<Step, Labels>>> = {
  reconcile: {
    label: 'Reconcile',
    done: 'Reconciled',
    right: 'approve',
    reason: 'offered',
    asks: 'Where the imported sales differ, say why.',
  },
  dispute: { label: 'Dispute', done: 'Disputed', right: 'edit', reason: 'needed', danger: true },
  reopen: {
    label: 'Reopen',
    done: 'Reopened',
    right: 'approve',
    reason: 'offered',
    asks: 'It goes back to review; reports leave it out until it is verified again.',
  },
  discard: {
    label: 'Discard',
    done: 'Discarded',
    right: 'edit',
    danger: true,
    asks: 'It no longer counts and leaves the list. It can be reopened.',
  },
};

interface Props {
  reading: ZReading;
  model: ReviewModel;
  onTeach(): void;
}

/** The steps besides verifying: each asks for its input. */
export function Steps({ reading, model, onTeach }: Props) {
  const rights = {
    approve: useCan('sales/zReading', 'approve'),
    edit: useCan('sales/zReading', 'edit'),
  };
  const [asking, setAsking] = useState<Step | null>(null);
  const [reason, setReason] = useState('');
  const can = reading.can.filter((step): step is Step => {
    const words = STEPS[step as Step];
    return words !== undefined && rights[words.right];
  });
  const main = can.find((step) => step === 'reconcile');
  const others = can.filter((step) => step !== main);
  const teaches =
    rights.edit && reading.picture && reading.state === 'needsReview' && reading.terminalId;
  const words = asking ? STEPS[asking] : undefined;

  async function take(): Promise<void> {
    if (!asking) return;
    const after = await model.step(asking, { reason: reason.trim() });
    if (!after) return;
    done(STEPS[asking]?.done ?? asking);
    setAsking(null);
    setReason('');
  }

  return (
    <>
      {(others.length > 0 || teaches) && (
        <Menu position="bottom-end" width={230}>
          <Menu.Target>
            <Button variant="default" aria-label="More steps" px={9}>
              <IconDots size={18} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((step) => (
              <Menu.Item
                key={step}
                color={STEPS[step]?.danger ? 'red' : undefined}
                onClick={() => setAsking(step)}
              >
                {STEPS[step]?.label}
              </Menu.Item>
            ))}
            {teaches && <Menu.Item onClick={onTeach}>Teach this till’s words</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      )}
      {main && <Button onClick={() => setAsking(main)}>{STEPS[main]?.label}</Button>}
      {asking && words && (
        <Dialog
          opened
          title={`${words.label} this Z-reading`}
          keep="Keep as it is"
          confirm={words.label}
          danger={words.danger}
          busy={model.busy === asking}
          disabled={words.reason === 'needed' && reason.trim() === ''}
          onConfirm={() => void take()}
          onClose={() => {
            setAsking(null);
            model.setProblem(null);
          }}
        >
          {model.problem && (
            <p role="alert" className={classes.fault}>
              {model.problem.message}
            </p>
          )}
          {words.asks && <p>{words.asks}</p>}
          {words.reason && (
            <Textarea
              label="Reason"
              required={words.reason === 'needed'}
              autosize
              minRows={2}
              maxLength={2000}
              data-autofocus
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Dialog>
      )}
    </>
  );
}
