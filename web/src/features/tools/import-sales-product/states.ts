import type { Tone } from '#/ui/StatusPill';
import type { BatchState } from './types';

export const stateOf: Record<BatchState, { label: string; tone: Tone }> = {
  uploaded: { label: 'Uploaded', tone: 'calm' },
  validating: { label: 'Checking', tone: 'brand' },
  validated: { label: 'Checked', tone: 'warn' },
  posting: { label: 'Posting', tone: 'brand' },
  posted: { label: 'Posted', tone: 'ok' },
  superseded: { label: 'Superseded', tone: 'calm' },
  reverted: { label: 'Reverted', tone: 'calm' },
  failed: { label: 'Failed', tone: 'danger' },
};
