import type { Tone } from '#/ui/StatusPill';
import type { BatchState, Outcome } from './types';

export const stateOf: Record<BatchState, { label: string; tone: Tone }> = {
  uploaded: { label: 'Uploaded', tone: 'calm' },
  checking: { label: 'Checking', tone: 'brand' },
  checked: { label: 'Checked', tone: 'warn' },
  committing: { label: 'Importing', tone: 'brand' },
  committed: { label: 'Imported', tone: 'ok' },
  undoing: { label: 'Undoing', tone: 'brand' },
  undone: { label: 'Undone', tone: 'calm' },
  failed: { label: 'Stopped', tone: 'danger' },
};

export const OUTCOMES: readonly Outcome[] = ['created', 'updated', 'unchanged', 'failed'];

export const outcomeOf: Record<Outcome, { label: string; tone: Tone }> = {
  created: { label: 'New', tone: 'ok' },
  updated: { label: 'Changed', tone: 'brand' },
  unchanged: { label: 'Unchanged', tone: 'calm' },
  failed: { label: 'Problem', tone: 'danger' },
};

/** Being worked on: there is a job to follow. */
export const isBusy = (state: BatchState) =>
  state === 'checking' || state === 'committing' || state === 'undoing';

/** Waits for somebody to go on with it. */
export const isOpen = (state: BatchState) =>
  isBusy(state) || state === 'uploaded' || state === 'checked' || state === 'failed';
