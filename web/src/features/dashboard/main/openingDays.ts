import { useQuery } from '@tanstack/react-query';
import { requestAt } from '#/api/client';
import { queries } from '#/api/queries';
import { today } from '#/ui/dates';
import { WEEKDAYS } from '#/ui/weekdays';

/** A store that sold nothing on some weekdays for eight weeks; Monday is 1. */
export interface Asked {
  storeId: string;
  /** In force today. */
  weekdays: number[];
  /** Those with sales. */
  proposed: number[];
  changes: { from: string; revision: number }[];
}

type OpeningDays = Omit<Asked, 'proposed'> & { proposed: number[] | null };

const BASE = '/api/stores/opening-days';
/** The key of the store pages too: what is set there is no longer asked here. */
const KEY = ['stores', 'opening-days'];

/** Stores whose opening days are to be confirmed, by name; none without the right to set them. */
export function useAsked(may: boolean) {
  return useQuery({
    queryKey: [...KEY, 'asked'],
    queryFn: async ({ signal }) => {
      const { items } = await requestAt<{ items: OpeningDays[] }>('GET', BASE, { signal });
      return items.flatMap((one): Asked[] =>
        one.proposed ? [{ ...one, proposed: one.proposed }] : [],
      );
    },
    enabled: may,
  });
}

/** Sets the weekdays on which a store opens, from today on. Setting those in force turns a proposal down. */
export async function answer({ storeId, changes }: Asked, weekdays: number[]): Promise<unknown> {
  const from = today();
  const revision = changes.find((change) => change.from === from)?.revision ?? null;
  try {
    return await requestAt('PUT', `${BASE}/${encodeURIComponent(storeId)}/${from}`, {
      json: { weekdays, revision },
    });
  } finally {
    void queries.invalidateQueries({ queryKey: KEY });
  }
}

/** The weekdays without sales: `Sun`, `Sat and Sun`, `Fri, Sat and Sun`. */
export function unsold({ weekdays, proposed }: Pick<Asked, 'weekdays' | 'proposed'>): string {
  const names = WEEKDAYS.filter((_, i) => weekdays.includes(i + 1) && !proposed.includes(i + 1));
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}
