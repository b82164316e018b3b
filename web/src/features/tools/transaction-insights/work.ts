// The job behind a large question: whose it is, how far it is, how it ended.
import { count, plural } from '#/ui/format';
import type { InsightsWork } from './api';

/** Whether somebody may follow the job and stop it: whoever started it, and super admins. */
export const maySteer = (
  user: { uid: string; superAdmin: boolean },
  { startedBy }: Pick<InsightsWork, 'startedBy'>,
): boolean => user.superAdmin || user.uid === startedBy;

/** «Makati · 3 of 12 stores» */
export function begun({ done, total, message }: InsightsWork): string {
  if (total === 0) return 'Waiting for its turn';
  return [message, `${count(done)} of ${plural(total, 'store')}`].filter(Boolean).join(' · ');
}

/** How it ended without an answer, and what the button to ask again says. */
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

/** The same beside an earlier answer. */
export const endedAgain = ({ state, error }: InsightsWork): string =>
  state === 'cancelled'
    ? 'Working it out again was stopped.'
    : `Working it out again failed. ${error ?? ''}`.trim();
