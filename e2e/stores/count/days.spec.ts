// A business day is in UTC+8, regardless of the device's time zone; and a closing count belongs to the day it began.

import { badge, count, field, makeCounted, row, today } from '../../support/counts.ts';
import { admit, browserOf, makePerson, makeRole } from '../../support/people.ts';
import { admin } from '../../support/server.ts';
import { type Api, expect, test } from '../../support/test.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow' });

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * A moment this many minutes after the midnight that began today, in business time: the server accepts no later day.
 */
const afterMidnight = (minutes: number) => new Date(Date.parse(`${today()}T00:00:00+08:00`) + minutes * MINUTE);
const yesterday = () => new Date(Date.parse(`${today()}T00:00:00Z`) - DAY).toISOString().slice(0, 10);
const ANY_DAY = { restrictDate: false };

interface Found {
  itemId: string;
  qty: number;
  session?: string | null;
}

async function countsOf(api: Api, storeId: string, date: string): Promise<string[]> {
  const { entries } = await api.call<{ entries: Found[] }>('GET', `/api/stores/count/entries?storeId=${storeId}&date=${date}`);
  return entries.map(({ qty, session }) => `${session ?? 'whole day'} ${qty}`).sort();
}

test('both ends of a day, on devices far in the west and in the east', async ({ browser, baseURL, api }) => {
  for (const timezoneId of ['America/Los_Angeles', 'Pacific/Kiritimati']) {
    const whole = await makeCounted(api, { ...ANY_DAY, autoSessionByTime: false, closingTo: 1380 });
    const parted = await makeCounted(api, ANY_DAY);
    const context = await browser.newContext({ baseURL, timezoneId, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await admit(context, baseURL ?? '', admin.email, admin.password);
    /** Opens a store's count at a moment, without a session in the URL. */
    const openAt = async (storeId: string, at: Date) => {
      await page.clock.setFixedTime(at);
      await page.goto(`/store-count?store=${storeId}`);
      await expect(row(page, 'Beef shank')).toBeVisible();
    };
    const proposed = (group: string) => page.getByRole('group', { name: group }).getByRole('button', { pressed: true });
    const take = async (name: string, typed: string) => {
      await count(page, name, typed);
      await expect(badge(page)).toHaveText(/^Sent/);
    };

    // A store whose day has no sessions: a minute decides.
    await openAt(whole.storeId, afterMidnight(-1));
    await expect(proposed('Day')).toHaveText(/^Today/);
    await take('Beef shank', '23');
    await openAt(whole.storeId, afterMidnight(1));
    await expect(proposed('Day')).toHaveText(/^Today/);
    await take('Beef shank', '1');
    await expect.poll(() => countsOf(api, whole.storeId, yesterday())).toEqual(['whole day 23']);
    await expect.poll(() => countsOf(api, whole.storeId, today())).toEqual(['whole day 1']);

    // A closing count that continues past midnight belongs to the day it began, even when reopened.
    await openAt(parted.storeId, afterMidnight(-1));
    await expect(proposed('Session')).toHaveText('Closing');
    await take('Beef shank', '23');
    await page.clock.setFixedTime(afterMidnight(1));
    await take('Takeout box', '1');
    await openAt(parted.storeId, afterMidnight(119));
    await expect(proposed('Day')).toHaveText(/^Yesterday/);
    await expect(proposed('Session')).toHaveText('Closing');
    await expect(row(page, 'Takeout box')).toContainText('1');
    await take('Paper cup', '2');
    await openAt(parted.storeId, afterMidnight(121));
    await expect(proposed('Day')).toHaveText(/^Today/);
    await expect(proposed('Session')).toHaveText('Opening');
    await take('Red onion', '3');
    await expect.poll(() => countsOf(api, parted.storeId, yesterday())).toEqual(['closing 1', 'closing 2', 'closing 23']);
    await expect.poll(() => countsOf(api, parted.storeId, today())).toEqual(['opening 3']);
    await context.close();
  }
});

test('a manager watches a count in progress', async ({ signedIn: manager, api, browser, baseURL }) => {
  const { storeId } = await makeCounted(api);
  const role = await makeRole(api, {
    apps: { storeCount: { view: true } },
    stores: { storeCount: { view: true, count: true } },
  });
  const cora = await makePerson(api, 'Cora', role.id);
  const at = `?store=${storeId}&date=${today()}&session=opening`;
  await manager.goto(`/stores/count${at}`);
  await expect(manager.getByText('0 of 6 counted')).toBeVisible();
  const { context, page: phone } = await browserOf(browser, baseURL ?? '');
  await phone.setViewportSize({ width: 390, height: 844 });
  await admit(context, baseURL ?? '', cora.email);
  await phone.goto(`/store-count${at}`);
  await phone.getByRole('button', { name: 'Start counting' }).click();
  await expect(manager.getByText('Cora is counting here now.')).toBeVisible();
  for (const [i, typed] of ['4', '12*6', '0'].entries()) {
    await field(phone).fill(typed);
    await field(phone).press('Enter');
    await expect(manager.getByText(`${i + 1} of 6 counted`)).toBeVisible();
  }
  await expect(row(manager, 'Beef shank')).toContainText(/72/);
  await expect(row(manager, 'Beef shank')).toContainText(/Cora, \d\d:\d\d/);
  // A correction shows, too.
  await count(phone, 'Beef shank', '70');
  await expect(row(manager, 'Beef shank')).toContainText('70');
  await phone.getByRole('button', { name: 'Finish' }).click();
  await phone.getByRole('button', { name: /^Finish without/ }).click();
  await expect(manager.getByText(/^Finished by Cora/)).toBeVisible();
  await context.close();
});
