// Texts about schedules, durations and outcomes of services.
import { count, day, plural, qty } from '#/ui/format';
import { EVERY_DAY, WEEKDAYS, WORK_DAYS } from '#/ui/weekdays';
import type { Ask, Run, RunFigure, Schedule } from './api';

/** Minutes after midnight as 02:30. */
export function clock(minutes: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** 02:30 as minutes after midnight; null if it is not a time. */
export function minutesOf(text: string): number | null {
  const [, hours, minutes] = text.trim().match(/^(\d{1,2}):(\d{2})$/) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const [h, m] = [Number(hours), Number(minutes)];
  return h < 24 && m < 60 ? h * 60 + m : null;
}

/** A service's schedule: «Every day at 02:30». */
export function scheduleLabel(
  schedule: Pick<Schedule, 'enabled' | 'minutes' | 'weekdays'> | null | undefined,
): string {
  if (!schedule?.enabled || (schedule.weekdays & EVERY_DAY) === 0) return 'Runs only when asked';
  const at = `at ${clock(schedule.minutes)}`;
  if (schedule.weekdays === EVERY_DAY) return `Every day ${at}`;
  if (schedule.weekdays === WORK_DAYS) return `Monday to Friday ${at}`;
  const days = WEEKDAYS.filter((_, i) => schedule.weekdays & (1 << i));
  return `${days.join(', ')} ${at}`;
}

/** A duration in words. */
export function lasted(ms: number | null | undefined): string {
  if (ms == null) return '';
  if (ms < 1_000) return 'under a second';
  const seconds = Math.round(ms / 1_000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${qty(Math.round(minutes / 6) / 10)} h`;
}

/** How long ago, relative to `now`. */
export function ago(at: string, now: number): string {
  const minutes = Math.round((now - new Date(at).getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return plural(hours, 'hour', 'hours').concat(' ago');
  return `${plural(Math.round(hours / 24), 'day')} ago`;
}

const STATES: Readonly<Record<Run['state'], string>> = {
  queued: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** Whether a run finished with failures. */
export const isPartly = (run: Run): boolean =>
  run.state === 'done' && (run.outcome?.failedTotal ?? 0) > 0;

export const stateLabel = (run: Run): string => STATES[run.state];

/** A run's parameters: «2 stores · all items · 14 days ahead». */
export function askLabel(ask: Ask, nameOf: (storeId: string) => string | undefined): string {
  const { storeIds, itemIds, from, to, horizon, policies } = ask;
  const stores =
    !storeIds?.length || storeIds.length > 1
      ? storeIds?.length
        ? plural(storeIds.length, 'store')
        : 'All stores'
      : (nameOf(storeIds[0] ?? '') ?? '1 store');
  return [
    stores,
    itemIds?.length ? plural(itemIds.length, 'item') : '',
    from || to
      ? `${policies ? '' : 'sales '}${from ? `from ${day(from)}` : ''} ${to ? `to ${day(to)}` : ''}`.trim()
      : '',
    horizon ? plural(horizon, 'day ahead', 'days ahead') : '',
    policies?.length ? `compared: ${policies.map(({ name }) => name).join(', ')}` : '',
  ]
    .filter(Boolean)
    .map((part) => part.replace(/ {2,}/g, ' '))
    .join(' · ');
}

/** A figure with its unit, in readable precision. */
export function figureLabel({ value, unit }: Pick<RunFigure, 'value' | 'unit'>): string {
  const places = Math.abs(value) >= 100 ? 0 : unit === '%' ? 1 : 2;
  const round = Math.round(value * 10 ** places) / 10 ** places;
  return unit ? `${qty(round)}${unit === '%' ? '%' : ` ${unit}`}` : qty(round);
}

/** The change since the previous run; null if none. */
export function changeLabel({ value, unit, before }: RunFigure): string | null {
  if (before == null) return null;
  const difference = value - before;
  const words = figureLabel({ value: difference, unit: unit === '%' ? 'points' : unit });
  if (/^[−-]?0( |$)/.test(words)) return null;
  return difference > 0 ? `+${words}` : words;
}

/** Runs as a sentence: «Last 10 runs: 9 done, 1 failed.» */
export function runsLabel(runs: readonly Run[]): string {
  if (runs.length === 0) return 'Never run yet.';
  const words = (Object.keys(STATES) as Run['state'][]).flatMap((state) => {
    const n = runs.filter((run) => run.state === state).length;
    return n > 0 ? [`${count(n)} ${STATES[state].toLowerCase()}`] : [];
  });
  return `${runs.length > 1 ? `Last ${runs.length} runs` : 'One run'}: ${words.join(', ')}.`;
}

export type Group = 'Forecasts' | 'Plan' | 'Data';

const GROUPS: Readonly<Record<string, Group>> = {
  'replenishment-plan': 'Plan',
  replay: 'Plan',
};

/** Whether it needs parameters, and so has no default run. */
export const asksFirst = (service: string): boolean => service === 'replay';

/** Whether a run's figures have a view on the service's page. */
export const hasPicture = (service: string): boolean =>
  service === 'replay' || groupOf(service) === 'Forecasts';

/** A service's heading. */
export const groupOf = (service: string): Group =>
  GROUPS[service] ?? (/average|forecast/.test(service) ? 'Forecasts' : 'Data');
