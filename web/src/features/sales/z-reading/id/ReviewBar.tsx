import { Button } from '@mantine/core';
import type { RefObject } from 'react';
import { plural } from '#/ui/format';
import { Kbd } from '#/ui/Kbd';
import { done } from '#/ui/toast';
import classes from './Review.module.css';
import type { ReviewModel } from './useReview';

interface Props {
  model: ReviewModel;
  mayEdit: boolean;
  mayVerify: boolean;
  /** How many fields are still to be looked at. */
  doubtful: number;
  /** How many of them the user was warned about; 0 before that. */
  unchecked: number;
  /** Whether another reading waits. */
  more: boolean;
  verify: RefObject<HTMLButtonElement | null>;
  onLeave(): void;
  onVerify(): void;
}

/** What is left to do, and the buttons that save and verify. */
export function ReviewBar(props: Props) {
  const { model, mayEdit, mayVerify, doubtful, unchecked, more, verify, onLeave, onVerify } = props;
  return (
    <div className={classes.bar}>
      <span className={classes.barWords} data-warn={unchecked > 0 || undefined} role="status">
        {unchecked > 0
          ? `${plural(unchecked, 'field')} unchecked. Verify anyway?`
          : doubtful > 0 && mayEdit
            ? `${plural(doubtful, 'field')} to look at`
            : model.checks.some(({ holds }) => !holds)
              ? 'Some sums do not agree'
              : 'Ready'}
      </span>
      {mayEdit && more && (
        <Button variant="subtle" onClick={onLeave}>
          Later&nbsp;<Kbd>Ctrl+Shift+Enter</Kbd>
        </Button>
      )}
      {mayEdit && (
        <Button
          variant="default"
          disabled={!model.dirty}
          loading={model.busy === 'save'}
          onClick={() => void model.save().then((now) => now && done('Saved'))}
        >
          Save
        </Button>
      )}
      {mayVerify && (
        <Button ref={verify} loading={model.busy === 'verify'} onClick={onVerify}>
          Verify and go on&nbsp;<Kbd>Ctrl+Enter</Kbd>
        </Button>
      )}
    </div>
  );
}
