import type { States } from '#/imports/states';
import type { BatchState, Outcome } from './types';

export const stateOf: States<BatchState> = {
  uploaded: { label: 'Uploaded', tone: 'neutral' },
  checking: { label: 'Checking', tone: 'brand' },
  checked: { label: 'Checked', tone: 'warn' },
  committing: { label: 'Importing', tone: 'brand' },
  committed: { label: 'Imported', tone: 'ok' },
  undoing: { label: 'Undoing', tone: 'brand' },
  undone: { label: 'Undone', tone: 'neutral' },
  failed: { label: 'Stopped', tone: 'danger' },
};

export const OUTCOMES: readonly Outcome[] = ['created', 'updated', 'unchanged', 'failed'];

export const outcomeOf: States<Outcome> = {
  created: { label: 'New', tone: 'ok' },
  updated: { label: 'Changed', tone: 'brand' },
  unchanged: { label: 'Unchanged', tone: 'neutral' },
  failed: { label: 'Problem', tone: 'danger' },
};

/** A job is working on it. */
export const isBusy = (state: BatchState) =>
  state === 'checking' || state === 'committing' || state === 'undoing';

/** Waits for the user to continue. */
export const isOpen = (state: BatchState) =>
  isBusy(state) || state === 'uploaded' || state === 'checked' || state === 'failed';
