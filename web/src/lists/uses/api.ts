// The records that refer to a record: a number in the table, names in the drawer.
import { requestAt } from '#/api/client';
import type { Count } from '../api';

export interface UseOf extends Count {
  /** The first of them. */
  records?: readonly { id: string; name: string }[];
  /** How many of them the user may not see. */
  hidden?: number;
}

export interface Uses {
  total: number;
  uses: readonly UseOf[];
}

interface UsesOfOne extends Uses {
  id: string;
}

export const usesOf = (base: string, id: string, signal?: AbortSignal) =>
  requestAt<Uses>('GET', `${base}/${encodeURIComponent(id)}/uses`, { signal });

const TOGETHER = 200;

interface Waiting {
  ids: Map<string, { done(uses: Uses): void; fail(error: unknown): void }[]>;
  timer: ReturnType<typeof setTimeout>;
}

const waiting = new Map<string, Waiting>();

/** A record's uses, batched into one request with those of other rows that became visible. */
export function usesOfVisibleRow(base: string, id: string): Promise<Uses> {
  return new Promise((done, fail) => {
    let batch = waiting.get(base);
    if (!batch || batch.ids.size >= TOGETHER) {
      const opened: Waiting = {
        ids: new Map(),
        timer: setTimeout(() => {
          if (waiting.get(base) === opened) waiting.delete(base);
          void send(base, opened);
        }, 30),
      };
      batch = opened;
      waiting.set(base, batch);
    }
    const asked = batch.ids.get(id) ?? [];
    asked.push({ done, fail });
    batch.ids.set(id, asked);
  });
}

async function send(base: string, { ids }: Waiting): Promise<void> {
  try {
    const query = { ids: [...ids.keys()].join(',') };
    const found = await requestAt<UsesOfOne[]>('GET', `${base}/uses`, { query });
    const known = new Map(found.map((one) => [one.id, one]));
    for (const [id, askers] of ids) {
      for (const { done } of askers) done(known.get(id) ?? { total: 0, uses: [] });
    }
  } catch (error) {
    for (const askers of ids.values()) for (const { fail } of askers) fail(error);
  }
}
