import { ErrorBox, NoticeBox } from '#/ui/ErrorBox';
import { day } from '#/ui/format';
import type { ZReading } from '../api';
import type { ReviewModel } from './useReview';

/** Refusals that a dialog asks about. */
const ASKS = ['checksFail', 'salesDiffer'];

interface Props {
  reading: ZReading;
  model: ReviewModel;
  /** The field that was refused; it has the focus. */
  fault: string | undefined;
}

/** What is known about a reading that hinders verifying it. */
export function ReviewNotices({ reading, model, fault }: Props) {
  return (
    <>
      {reading.read?.advice && model.open && <NoticeBox>{reading.read.advice}</NoticeBox>}
      {reading.doubled && (
        <ErrorBox>
          Z counter {reading.doubled.zCounter} is already on the reading of{' '}
          {day(reading.doubled.businessDate)}. Discard this one, or correct its counter.
        </ErrorBox>
      )}
      {reading.reason && (
        <NoticeBox>
          {reading.state === 'disputed' ? 'Disputed' : 'Reason'}: {reading.reason}
        </NoticeBox>
      )}
      {model.problem && !ASKS.includes(model.problem.code) && (
        <ErrorBox focus={!fault}>{model.problem.message}</ErrorBox>
      )}
    </>
  );
}
