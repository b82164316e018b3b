import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { request } from '#/api/client';
import { paced } from '#/api/paced';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

export type Home = components['schemas']['Home'];
export type Tile = components['schemas']['HomeTile'];
export type Sales = components['schemas']['HomeSales'];
export type StoresOfDay = components['schemas']['StoresOfDay'];
export type StoreOfDay = components['schemas']['StoreOfDay'];
export type Waiting = components['schemas']['Waiting'];
export type WaitingItem = components['schemas']['WaitingItem'];
export type SinceLast = components['schemas']['SinceLast'];

/** The key of Home's queries; live events refresh them. */
export const HOME = ['dashboard', 'main'] as const;

const BASE = '/api/dashboard/main';
/** The minimum interval between requests; an import changes thousands of rows. */
const PACE_MS = 2_000;
/** Some things become late by themselves. */
const AGAIN_MS = 5 * 60_000;

const ask = paced(() => request('GET', BASE), PACE_MS);

/** Everything the page shows, in one response. */
export function useHome() {
  return useQuery({ queryKey: HOME, queryFn: ask, refetchInterval: AGAIN_MS });
}

/** Records the user's visit, once they see the page. */
export function useVisit(seen: boolean): void {
  useEffect(() => {
    if (seen) void request('POST', `${BASE}/visit`).catch(() => {});
  }, [seen]);
}

export interface Arrangement {
  tiles: string[];
  hidden: string[];
}

/** Shows the new order of tiles at once, and saves it for the user. */
export async function arrange(to: Arrangement): Promise<void> {
  queries.setQueryData<Home>(HOME, (home) => home && arranged(home, to));
  await request('PUT', `${BASE}/arrangement`, { json: to });
  // A hidden tile has no figures yet; the server decides the default order.
  await queries.invalidateQueries({ queryKey: HOME });
}

function arranged(home: Home, { tiles, hidden }: Arrangement): Home {
  const place = (name: string) => {
    const at = tiles.indexOf(name);
    return at < 0 ? tiles.length : at;
  };
  return {
    ...home,
    tiles: home.tiles
      .map((tile) => ({ ...tile, hidden: hidden.includes(tile.name) }))
      .sort((a, b) => place(a.name) - place(b.name)),
  };
}
