import { Textarea } from '@mantine/core';
import { moment } from '#/ui/format';
import type { ZReading } from '../api';
import classes from './Review.module.css';
import type { ReviewModel } from './useReview';

const DONE: Readonly<Record<string, string>> = {
  verify: 'Verified',
  dispute: 'Disputed',
  reconcile: 'Reconciled',
  reopen: 'Reopened',
  discard: 'Discarded',
};

interface Props {
  reading: ZReading;
  model: ReviewModel;
  readOnly: boolean;
}

/** Notes, and the reading's trail. */
export function Notes({ reading, model, readOnly }: Props) {
  return (
    <section className={classes.group} aria-label="Notes">
      <Textarea
        label="Notes"
        autosize
        minRows={1}
        maxLength={2000}
        readOnly={readOnly}
        value={model.values.notes ?? ''}
        error={model.errors.get('notes')}
        onChange={(event) => model.set('notes', event.currentTarget.value)}
      />
      <ol className={classes.trail}>
        <li>
          {reading.source === 'picture' ? 'Picture sent' : 'Typed in'} by {reading.createdBy.name},{' '}
          {moment(reading.createdAt)}
        </li>
        {reading.steps.map(({ step, at, by, reason }) => (
          <li key={`${step}${at}`}>
            {DONE[step] ?? step} by {by.name}, {moment(at)}
            {reason && `: ${reason}`}
          </li>
        ))}
      </ol>
    </section>
  );
}
