import { useQuery } from '@tanstack/react-query';
import { request } from '#/api/client';
import { paced } from '#/api/paced';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';

export type Notifications = components['schemas']['Notifications'];
export type Notification = components['schemas']['Notification'];
export type Settings = components['schemas']['NotificationSettings'];
export type SettingsChange = Partial<components['schemas']['NotificationSettingsChange']>;

const KEY = ['notifications'] as const;
const SETTINGS = ['notification-settings'] as const;
const BASE = '/api/notifications';
const PACE_MS = 3_000;
/** Some things become late by themselves. */
const AGAIN_MS = 5 * 60_000;

const ask = paced(() => request('GET', BASE), PACE_MS);

/** The user's tasks. */
export function useNotifications() {
  return useQuery({ queryKey: KEY, queryFn: ask, refetchInterval: AGAIN_MS });
}

function shownAsRead(is: (one: Notification) => boolean): void {
  queries.setQueryData<Notifications>(KEY, (now) => {
    if (!now) return now;
    const items = now.items.map((one) => (is(one) ? { ...one, read: true } : one));
    return { ...now, items, unread: items.filter(({ read }) => !read).length };
  });
}

/** Marks one as read; if that fails, the next response shows it as unread again. */
export async function markRead({ kind, id }: Notification): Promise<void> {
  shownAsRead((one) => one.kind === kind && one.id === id);
  await request('POST', `${BASE}/read`, { json: { items: [{ kind, id }] } });
}

/** Marks everything as read that was there when the list was loaded. */
export async function markAllRead(at: string): Promise<void> {
  shownAsRead(() => true);
  await request('POST', `${BASE}/read`, { json: { items: [], allUntil: at } });
  await queries.invalidateQueries({ queryKey: KEY });
}

export function useSettings() {
  return useQuery({
    queryKey: SETTINGS,
    queryFn: ({ signal }) => request('GET', `${BASE}/settings`, { signal }),
  });
}

export async function changeSettings(change: SettingsChange): Promise<void> {
  const now = await request('PATCH', `${BASE}/settings`, { json: change });
  queries.setQueryData(SETTINGS, now);
  await queries.invalidateQueries({ queryKey: KEY });
}
