import { useQuery } from '@tanstack/react-query';
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';
import { WEEKDAYS } from '#/ui/weekdays';
import { SETUP } from '../setup/api';

/** The weekdays on which a store opens from a day on; Monday is 1. */
export interface OpeningDaysChange {
  from: string;
  weekdays: number[];
  revision: number;
}

export interface OpeningDays {
  storeId: string;
  /** In force today. */
  weekdays: number[];
  changes: OpeningDaysChange[];
  /** The weekdays the store seems to open on, if they are fewer: nothing was sold on the others for eight weeks. */
  proposed: number[] | null;
}

const BASE = '/api/stores/opening-days';
const KEY = ['stores', 'opening-days'];

export function useOpeningDays(storeId: string) {
  return useQuery({
    queryKey: [...KEY, storeId],
    queryFn: async ({ signal }) => {
      const { items } = await requestAt<{ items: OpeningDays[] }>('GET', BASE, {
        query: { storeId },
        signal,
      });
      return items[0] ?? null;
    },
  });
}

const changed = () => {
  void queries.invalidateQueries({ queryKey: KEY });
  void queries.invalidateQueries({ queryKey: SETUP });
};

const at = (storeId: string, from: string) =>
  `${BASE}/${encodeURIComponent(storeId)}/${encodeURIComponent(from)}`;

export async function setOpeningDays(
  storeId: string,
  from: string,
  json: { weekdays: number[]; revision: number | null },
): Promise<OpeningDays> {
  try {
    return await requestAt<OpeningDays>('PUT', at(storeId, from), { json });
  } finally {
    changed();
  }
}

export async function removeOpeningDays(storeId: string, from: string): Promise<OpeningDays> {
  try {
    return await requestAt<OpeningDays>('DELETE', at(storeId, from));
  } finally {
    changed();
  }
}

/** `every day`, `every day but Sun`, `Mon, Wed, Fri` */
export function weekdaysLabel(weekdays: readonly number[]): string {
  const names = WEEKDAYS.filter((_, i) => weekdays.includes(i + 1));
  const closed = WEEKDAYS.filter((_, i) => !weekdays.includes(i + 1));
  if (closed.length === 0) return 'every day';
  return closed.length <= 2 ? `every day but ${closed.join(' and ')}` : names.join(', ');
}
