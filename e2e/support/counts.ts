// A store with items to count, and its count screens.

import { expect, type Page } from '@playwright/test';
import type { Api } from './test.ts';

export interface Counted {
  storeId: string;
  /** Ids by name. */
  items: Record<string, string>;
}

const AREAS = ['Chiller', 'Dry storage'];
const NAMES = ['Coconut milk', 'Beef shank', 'Takeout box', 'Paper cup', 'Red onion', 'Ube halaya'];
let made = 0;

/** A store that can be counted at any time of day, with items. */
export async function makeCounted(api: Api, settings: object = {}, names: readonly string[] = NAMES): Promise<Counted> {
  made += 1;
  const mark = `${Date.now().toString(36)}${made}`;
  const store = await api.call<{ id: string }>('POST', '/api/stores/locations', { name: `Store ${mark}`, code: mark });
  const uom = await api.call<{ id: string }>('POST', '/api/lists/uoms', { name: `Piece ${mark}`, code: `pc${mark}` });
  const pack = await api.call<{ id: string }>('POST', '/api/lists/uoms', { name: `Case ${mark}`, code: `case${mark}` });
  const known = await api.call<{ items: { id: string; name: string }[] }>(
    'GET',
    '/api/lists/store-inventory-items?pageSize=1000',
  );
  const items: Record<string, string> = Object.fromEntries(known.items.map(({ id, name }) => [name, id]));
  for (const [i, name] of names.entries()) {
    if (items[name]) continue;
    const item = await api.call<{ id: string }>('POST', '/api/lists/store-inventory-items', {
      name,
      code: `SKU-${1000 + i}`,
      barcode: `48000000${1000 + i}`,
      uomId: uom.id,
      packs: i === 0 ? [{ uomId: pack.id, factor: 12 }] : [],
      storageArea: AREAS[i < 3 ? 0 : 1],
      sortOrder: i,
    });
    items[name] = item.id;
  }
  await api.call('PUT', `/api/stores/count/settings/${store.id}`, {
    enforceTimeWindow: false,
    timeLockEnabled: false,
    ...settings,
  });
  return { storeId: store.id, items };
}

/** Today in store time. */
export const today = (): string => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);

/** Yesterday in store time. */
export const yesterday = (): string => new Date(Date.parse(today()) - 86_400_000).toISOString().slice(0, 10);

/** A store with counts of today and before, one of them by two devices, one held. */
export async function makeLived(api: Api) {
  const made = await makeCounted(api, { restrictDate: false });
  const { storeId, items } = made;
  const send = (deviceId: string, entries: object[]) =>
    api.call('POST', '/api/stores/count/batch', { sentAt: new Date().toISOString(), deviceId, entries });
  const entry = (device: string, seq: number, name: string, qty: number, date = today(), session = 'opening') => ({
    op: `${device}:${seq}`, seq, storeId, date, session, itemId: items[name], qty, at: new Date().toISOString(), base: null, prev: null,
  });
  // A device's numbers can be used once; the next store uses other devices.
  const [paper, tablet, phone] = ['paper', 'tablet', 'phone'].map((name) => `${name}-${Date.now().toString(36)}`) as [string, string, string];
  await send(paper, [entry(paper, 1, 'Coconut milk', 12, yesterday(), 'closing'), entry(paper, 2, 'Red onion', 9, yesterday(), 'closing')]);
  await send(tablet, [entry(tablet, 1, 'Coconut milk', 14), entry(tablet, 2, 'Red onion', 90)]);
  await send(phone, [entry(phone, 1, 'Coconut milk', 13)]);
  return made;
}

export interface EntryWire {
  itemId: string;
  qty: number | null;
  revision: number;
  note?: string;
  photo?: string;
  others?: { qty: number; by: string }[];
}

export async function entriesOf(api: Api, storeId: string): Promise<Record<string, EntryWire>> {
  const { entries } = await api.call<{ entries: EntryWire[] }>(
    'GET',
    `/api/stores/count/entries?storeId=${storeId}&date=${today()}`,
  );
  return Object.fromEntries(entries.map((entry) => [entry.itemId, entry]));
}

/** The user who finished today's session, if any. */
export async function finishedBy(api: Api, storeId: string, session = 'opening'): Promise<string | null> {
  const { finished } = await api.call<{ finished: { by: { name: string } } | null }>(
    'GET',
    `/api/stores/count/state?storeId=${storeId}&date=${today()}&session=${session}`,
  );
  return finished?.by.name ?? null;
}

export function address(path: '/store-count' | '/stores/count', storeId: string, session = 'opening'): string {
  return `${path}?store=${storeId}&date=${today()}&session=${session}`;
}

export const row = (page: Page, name: string) => page.locator('[data-item]').filter({ hasText: name });
export const field = (page: Page) => page.getByRole('textbox', { name: /^Count in/ });
export const badge = (page: Page) => page.getByRole('button', { name: /^(Nothing to send|Sent|Saved on this device|NOT saved|Held|\d+ counts held)/ });

/** Opens an item and counts it. */
export async function count(page: Page, name: string, typed: string): Promise<void> {
  await row(page, name).click();
  await expect(page.getByRole('group', { name: `Count of ${name}` })).toBeVisible();
  await field(page).fill(typed);
  await field(page).press('Enter');
}

/** Waits until the service worker has the code for an offline start. */
export async function workerHolds(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
    }
  });
}

/** Whether this device remembers the user; runs in the page. */
function isRemembered(): Promise<boolean> {
  return new Promise((done) => {
    const opening = indexedDB.open('larder');
    // Not created yet: the console must create it.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => done(false);
    opening.onsuccess = () => {
      const asked = opening.result.transaction('meta').objectStore('meta').get('identity');
      asked.onsuccess = () => {
        opening.result.close();
        done(asked.result !== undefined && localStorage.getItem('larder:gone') === null);
      };
    };
  });
}

/** Waits until this device can start offline: with the code, and the user. */
export async function readyForOffline(page: Page): Promise<void> {
  await workerHolds(page);
  // Polled here: a wait in the page accepts a promise as an answer, regardless of its result.
  await expect.poll(() => page.evaluate(isRemembered)).toBe(true);
}
