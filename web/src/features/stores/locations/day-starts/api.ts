import { useQuery } from '@tanstack/react-query';
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';

/** When a store's days begin from a day on, in minutes after midnight. */
export interface DayStartChange {
  from: string;
  minutes: number;
  revision: number;
}

export interface DayStarts {
  storeId: string;
  /** In force today. */
  minutes: number;
  changes: DayStartChange[];
}

const BASE = '/api/stores/day-starts';
const KEY = ['stores', 'day-starts'];

export function useDayStarts(storeId: string) {
  return useQuery({
    queryKey: [...KEY, storeId],
    queryFn: async ({ signal }) => {
      const { items } = await requestAt<{ items: DayStarts[] }>('GET', BASE, {
        query: { storeId },
        signal,
      });
      return items[0] ?? null;
    },
  });
}

const changed = () => queries.invalidateQueries({ queryKey: KEY });

const at = (storeId: string, from: string) =>
  `${BASE}/${encodeURIComponent(storeId)}/${encodeURIComponent(from)}`;

export async function setDayStart(
  storeId: string,
  from: string,
  json: { minutes: number; revision: number | null },
): Promise<DayStarts> {
  try {
    return await requestAt<DayStarts>('PUT', at(storeId, from), { json });
  } finally {
    void changed();
  }
}

export async function removeDayStart(storeId: string, from: string): Promise<DayStarts> {
  try {
    return await requestAt<DayStarts>('DELETE', at(storeId, from));
  } finally {
    void changed();
  }
}

/** `05:15` */
export const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** A day may begin at any quarter of an hour from midnight to noon. */
export const STARTS = Array.from({ length: 49 }, (_, step) => step * 15).map((minutes) => ({
  value: String(minutes),
  label: minutes === 0 ? '00:00 (midnight)' : clock(minutes),
}));
