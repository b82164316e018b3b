import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { queryString, to } from '#/paths';
import { addDays } from '#/ui/dates';
import { HOME } from './api';

type FirstSteps = components['schemas']['FirstSteps'];
type ServerKey = components['schemas']['FirstStepKey'];

/** The steps as the server knows them. */
export function useFirstSteps() {
  return useQuery({
    queryKey: [...HOME, 'first-steps'],
    queryFn: ({ signal }) => request('GET', '/api/dashboard/main/first-steps', { signal }),
  });
}

/** A line of the guide. */
export interface Step {
  key: ServerKey | 'report';
  done: boolean;
  label: string;
  href: string;
}

const STEPS: readonly Omit<Step, 'done'>[] = [
  {
    key: 'company',
    label: 'Enter your company',
    href: to('listCompanies') + queryString({ open: 'new' }),
  },
  { key: 'store', label: 'Add the first store', href: to('storesLocation', { id: 'new' }) },
  { key: 'people', label: 'Invite people', href: to('users') + queryString({ open: 'new' }) },
  { key: 'sales', label: 'Import the first till file', href: to('toolsImportSales') },
  { key: 'report', label: 'Look at the first report', href: to('reportWeeklyRootItemSales') },
];

/** The weeks of the first report: the last four with sales. */
function reportOf(salesThrough: string | null | undefined): string {
  if (!salesThrough) return to('reportWeeklyRootItemSales');
  return to('reportWeeklyRootItemSales', null, {
    from: addDays(salesThrough, -27),
    to: salesThrough,
  });
}

/** How far this device is with the guide: it showed it, and its report was opened. */
export type Seen = 'shown' | 'reported' | null;

/**
 * The guide; null when there is nothing left to do. The report counts only where the guide was shown before: a group
 * that has everything needs no guide on another device.
 */
export function guide(
  { items: server, salesThrough }: Pick<FirstSteps, 'items' | 'salesThrough'>,
  seen: Seen,
): Step[] | null {
  if (server.length === 0) return null;
  const left = server.some(({ done }) => !done);
  const reported = seen === 'reported';
  if (!left && (reported || seen === null)) return null;
  return STEPS.flatMap((step) => {
    if (step.key === 'report') return { ...step, href: reportOf(salesThrough), done: reported };
    const found = server.find(({ key }) => key === step.key);
    return found ? { ...step, done: found.done } : [];
  });
}

const seenKey = (uid: string) => `larder:first-steps:${uid}`;
const laterKey = (uid: string) => `larder:first-steps-later:${uid}`;

export function readSeen(uid: string): Seen {
  try {
    const seen = localStorage.getItem(seenKey(uid));
    return seen === 'shown' || seen === 'reported' ? seen : null;
  } catch {
    return null;
  }
}

export function noteSeen(uid: string, seen: 'shown' | 'reported'): void {
  try {
    if (readSeen(uid) !== 'reported') localStorage.setItem(seenKey(uid), seen);
  } catch {
    // Without storage the guide ends with the first sales.
  }
}

/** Whether the guide was put off until the browser is opened again. */
export function isLater(uid: string): boolean {
  try {
    return sessionStorage.getItem(laterKey(uid)) !== null;
  } catch {
    return false;
  }
}

export function noteLater(uid: string): void {
  try {
    sessionStorage.setItem(laterKey(uid), '1');
  } catch {
    // It then comes back with the page.
  }
}
