// A count on a phone, from nothing counted to finished, and the office's view of it.

import { address, badge, count, entriesOf, field, finishedBy, makeCounted, row, today, yesterday } from '../../support/counts.ts';
import { DESK, PHONE } from '../../support/looks.ts';
import { expect, test } from '../../support/test.ts';
import { walkTo } from '../../support/walk.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow' });

test('a count shows its progress, from nothing counted to finished, and suspicious values', async ({ signedIn: page, api, complaints }) => {
  const { storeId, items } = await makeCounted(api, { closingTo: 1439 });
  const earlier = { storeId, date: yesterday(), session: 'closing', itemId: items['Red onion'], qty: 12 };
  const at = new Date().toISOString();
  const paper = `paper-${Date.now().toString(36)}`;
  const entries = [{ ...earlier, op: `${paper}:1`, seq: 1, at, base: null, prev: null }];
  await api.call('POST', '/api/stores/count/batch', { sentAt: at, deviceId: paper, entries });
  await page.setViewportSize(PHONE);
  await page.goto(address('/stores/count', storeId));
  await expect(row(page, 'Red onion')).toContainText('Last count 12');
  await expect(badge(page)).toHaveText('Nothing to send');
  // There is no search here, not even by keyboard.
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // With the keyboard open, the current item and the next one are fully visible.
  await page.setViewportSize({ width: 390, height: 510 });
  await row(page, 'Coconut milk').click();
  await field(page).fill('5');
  await field(page).press('Enter');
  await expect(page.getByRole('group', { name: 'Count of Beef shank' })).toBeVisible();
  const seen = (name: string) =>
    row(page, name).evaluate((element) => {
      const { top, bottom, left } = element.getBoundingClientRect();
      return [top + 1, bottom - 1].every((y) => element.contains(document.elementFromPoint(left + 40, y)));
    });
  await expect.poll(() => Promise.all(['Beef shank', 'Takeout box'].map(seen))).toEqual([true, true]);
  await page.setViewportSize(PHONE);

  // Away and back.
  await expect(badge(page)).toHaveText('Sent');
  await page.context().setOffline(true);
  await count(page, 'Red onion', '9999');
  await expect(page.getByText(/^No connection/)).toBeVisible();
  await expect(badge(page)).toHaveText(/Saved on this device.*1 waiting to send/);
  await page.context().setOffline(false);
  await expect(page.getByText(/^No connection/)).toHaveCount(0);
  await expect(badge(page)).toHaveText('Sent');
  expect(complaints.splice(0).filter((said) => !/net::ERR_|Failed to fetch/.test(said))).toEqual([]);

  // Finished anyway, the implausible number stays flagged. The toast covers nothing.
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('button', { name: 'Finish without 4 items' }).click();
  await expect(page.getByText('Count finished')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Finish|Start counting/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Change this count' }).click();
  const ask = page.getByRole('dialog', { name: 'Change a finished count?' });
  await expect(ask).toContainText(/Ana Cruz finished this count on/);
  await ask.getByRole('button', { name: 'Leave it' }).click();
  await expect(page.getByText(/^Finished by Ana Cruz/)).toBeVisible();
  await page.setViewportSize(DESK);
  const inventory = `/stores/inventory?store=${storeId}`;
  await walkTo(page, inventory);
  await expect(page.getByText('was 12?')).toBeVisible();
  await walkTo(page, address('/stores/count', storeId));
  await row(page, 'Red onion').click();
  await ask.getByRole('button', { name: 'Change count' }).click();
  await expect(page.getByRole('group', { name: 'Count of Red onion' })).toBeVisible();
  await page.getByRole('button', { name: 'Finish again' }).click();
  await page.getByRole('button', { name: /^It’s right/ }).click();
  await page.getByRole('button', { name: 'Finish without 4 items' }).click();
  await expect(page.getByText(/^Finished by Ana Cruz/)).toBeVisible();
  expect(await finishedBy(api, storeId)).toBe('Ana Cruz');
  await walkTo(page, inventory);
  await expect(page.getByRole('button', { name: 'Count sheet' })).toBeVisible();
  await expect(page.getByText(/9,999 .*·/)).toBeVisible();
  await expect(page.getByText('was 12?')).toHaveCount(0);

  // On other pages the search exists; its icon can be hidden, and its shortcut still works.
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('switch', { name: 'Search in the top bar' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /Search or jump to/ })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByPlaceholder('Search or jump to…')).toBeFocused();
});

test('unsent counts of an older version are taken over and sent', async ({ signedIn: page, api }) => {
  const { storeId, items } = await makeCounted(api);
  await page.goto('/lists');
  await page.evaluate(
    ([storeId, date, shank, cup]) => {
      const entries = [{ itemId: shank, qty: 7 }, { rootProductId: cup, qty: '1,5' }];
      localStorage.setItem(`storeCountPending:${storeId}_${date}`, JSON.stringify({ storeId, date, entries, session: 'opening' }));
      localStorage.setItem('storeCountPending:broken', JSON.stringify({ storeId, entries, session: 'opening' }));
    },
    [storeId, today(), items['Beef shank'] ?? '', items['Paper cup'] ?? ''] as const,
  );
  await page.goto(address('/stores/count', storeId));
  await expect(badge(page)).toHaveText('Sent');
  const sent = await entriesOf(api, storeId);
  expect(Object.values(sent).map(({ qty }) => qty).sort()).toEqual([1.5, 7]);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('storeCountPending:')))).toEqual([]);
});
