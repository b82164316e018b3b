import type { States } from '#/imports/states';
import type { BatchState } from './types';

export const stateOf: States<BatchState> = {
  uploaded: { label: 'Uploaded', tone: 'neutral' },
  validating: { label: 'Checking', tone: 'brand' },
  validated: { label: 'Checked', tone: 'warn' },
  posting: { label: 'Posting', tone: 'brand' },
  posted: { label: 'Posted', tone: 'ok' },
  superseded: { label: 'Superseded', tone: 'neutral' },
  reverted: { label: 'Reverted', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'danger' },
};

/** A job is working on it. */
export const isBusy = (state: BatchState) => state === 'validating' || state === 'posting';
