// The job of a large analysis: owner, progress, outcome.
import { count, plural } from '#/ui/format';
import type { InsightsWork } from './api';

/** Whether a user may follow and cancel the job: its starter, and super admins. */
export const maySteer = (
  user: { uid: string; superAdmin: boolean },
  { startedBy }: Pick<InsightsWork, 'startedBy'>,
): boolean => user.superAdmin || user.uid === startedBy;

/** «Makati · 3 of 12 stores» */
export function begun({ done, total, message }: InsightsWork): string {
  if (total === 0) return 'Waiting for its turn';
  return [message, `${count(done)} of ${plural(total, 'store')}`].filter(Boolean).join(' · ');
}

/** How it ended without an answer, and the label of the retry button. */
export function ended({ state, error }: InsightsWork): {
  title: string;
  text: string;
  again: string;
} {
  if (state === 'cancelled') {
    return {
      title: 'Stopped',
      text: 'The receipts were not read to the end, and nothing of it is kept.',
      again: 'Ask again',
    };
  }
  return {
    title: 'The work did not end',
    text: error ?? 'It gave no reason.',
    again: 'Try again',
  };
}

/** The same next to an earlier answer. */
export const endedAgain = ({ state, error }: InsightsWork): string =>
  state === 'cancelled'
    ? 'Working it out again was stopped.'
    : `Working it out again failed. ${error ?? ''}`.trim();
