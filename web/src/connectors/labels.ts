// Texts about connectors.
import { moment, plural } from '#/ui/format';
import type { Tone } from '#/ui/StatusPill';
import { EVERY_DAY, WEEKDAYS, WORK_DAYS } from '#/ui/weekdays';
import type { Run, Schedule } from './api';

/** The fields a record can have, in the order they are offered. */
export const FIELDS: readonly { value: string; label: string }[] = [
  { value: 'date', label: 'Date' },
  { value: 'time', label: 'Time' },
  { value: 'store', label: 'Store' },
  { value: 'storeCode', label: 'Store code' },
  { value: 'terminal', label: 'Terminal' },
  { value: 'receipt', label: 'Receipt number' },
  { value: 'item', label: 'Item' },
  { value: 'itemName', label: 'Item name' },
  { value: 'quantity', label: 'Quantity' },
  { value: 'unitPrice', label: 'Price' },
  { value: 'discount', label: 'Discount' },
  { value: 'net', label: 'Net amount' },
  { value: 'kind', label: 'Kind' },
  { value: 'lineId', label: 'Line id' },
  { value: 'parentLine', label: 'Belongs to line' },
  { value: 'serviceType', label: 'Service type' },
  { value: 'category', label: 'Category' },
  { value: 'tender', label: 'Paid by' },
  { value: 'tenderAmount', label: 'Amount paid' },
];

export const fieldLabel = (field: string): string =>
  FIELDS.find(({ value }) => value === field)?.label ?? field;

const STATES: Readonly<Record<Run['state'], [string, Tone]>> = {
  queued: ['Waiting', 'neutral'],
  running: ['Running', 'brand'],
  waiting: ['Tries again', 'warn'],
  done: ['Done', 'ok'],
  partly: ['Partly', 'warn'],
  failed: ['Failed', 'danger'],
  cancelled: ['Stopped', 'neutral'],
};

export const stateLabel = (run: Run): string => STATES[run.state][0];
export const stateTone = (run: Run): Tone => STATES[run.state][1];

const CAUSES: Readonly<Record<string, string>> = {
  hand: 'by hand',
  schedule: 'by schedule',
  retry: 'tried again',
  push: 'pushed',
  file: 'from the folder',
};

export const causeLabel = (run: Run): string =>
  run.startedBy ? run.startedBy.name : (CAUSES[run.cause] ?? run.cause);

/** The outcome of a run as a sentence. */
export function outcome(run: Run): string {
  if (run.state === 'waiting') return `Tries again ${moment(run.nextTryAt)}.`;
  if (run.words) return run.words;
  if (run.state === 'running' && run.total > 0)
    return `${run.done} of ${plural(run.total, 'part')} read.`;
  return run.state === 'queued' ? 'Waiting for its turn.' : '';
}

export const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

export function minutesOf(text: string): number | null {
  const found = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (!found) return null;
  const minutes = Number(found[1]) * 60 + Number(found[2]);
  return minutes < 1440 ? minutes : null;
}

/** «Every day at 03:00», «Mon, Wed at 03:00», «By hand». */
export function scheduleLabel({ enabled, minutes, weekdays }: Schedule): string {
  if (!enabled) return 'By hand';
  const days = WEEKDAYS.filter((_, at) => (weekdays & (1 << at)) !== 0).join(', ');
  const named = { [EVERY_DAY]: 'Every day', [WORK_DAYS]: 'Monday to Friday' }[weekdays];
  return `${named ?? days} at ${clock(minutes)}`;
}

/** The path of a value in a response: list steps become `[]`. */
export function childPath(path: string, name: string): string {
  const plain = name.replace(/[\\.[\]]/g, (sign) => `\\${sign}`);
  return path ? `${path}.${plain}` : plain;
}
