// Counting online: input, display, and finishing.

import { address, badge, count, entriesOf, field, makeCounted, row } from '../../support/counts.ts';
import { admit, browserOf, makePerson, makeRole } from '../../support/people.ts';
import { expect, expectAccessible, test } from '../../support/test.ts';

// As in a real browser: with the service worker, which starts the console offline, and with animations.
test.use({ serviceWorkers: 'allow', contextOptions: { reducedMotion: 'no-preference' } });

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
});

test('a store is counted on a phone, with notes and photos, and finished', async ({ signedIn: page, api, complaints }) => {
  await test.step('a store is counted on a phone, item after item, and finished', async () => {
    const { storeId, items } = await makeCounted(api);
    await page.goto(address('/store-count', storeId));
    await expect(page.getByRole('heading', { name: 'Chiller' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Start counting' }).click();
    await expect(page.getByRole('group', { name: 'Count of Coconut milk' })).toBeVisible();
    await expect(field(page)).toBeFocused();
    await expectAccessible(page);

    // A sum, and Enter moves on.
    await field(page).fill('12*6+3');
    await expect(page.getByText('= 75')).toBeVisible();
    await field(page).press('Enter');
    await expect(page.getByText(/Coconut milk: 75 .* – saved on this device/)).toBeVisible();
    await expect(page.getByRole('group', { name: 'Count of Beef shank' })).toBeVisible();
    // Zero is a count, an empty field is not.
    await field(page).fill('0');
    await field(page).press('Enter');
    await field(page).press('Enter');
    await expect(page.getByRole('group', { name: 'Count of Paper cup' })).toBeVisible();
    // Text that is not a number is reported before it counts as zero.
    await field(page).fill('abc');
    await field(page).press('Enter');
    await expect(page.getByText('“abc” is not a number. Press Enter or Next again to save 0.')).toBeVisible();
    await field(page).fill('1,5');
    await field(page).press('Enter');
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('button', { name: 'Not here' }).click();
    // The first skipped item comes up again.
    await expect(page.getByRole('group', { name: 'Count of Takeout box' })).toBeVisible();
    await expect(page.getByText('4 of 6 counted')).toBeVisible();
    await expect(badge(page)).toHaveText(/^Sent/);
    const sent = await entriesOf(api, storeId);
    expect(sent[items['Coconut milk'] ?? '']?.revision, 'written once').toBe(1);
    const of = (name: string) => sent[items[name] ?? '']?.qty;
    expect([of('Coconut milk'), of('Beef shank'), of('Paper cup'), of('Ube halaya')]).toEqual([75, 0, 1.5, 0]);
    expect(sent[items['Ube halaya'] ?? '']?.note).toBe('Not here');

    // Cleared again.
    await row(page, 'Paper cup').click();
    await field(page).fill('');
    await field(page).press('Enter');
    await expect(page.getByText('3 of 6 counted')).toBeVisible();
    await expect.poll(async () => (await entriesOf(api, storeId))[items['Paper cup'] ?? '']?.qty ?? null).toBeNull();

    // Packs and pieces.
    await row(page, 'Paper cup').click();
    await page.getByRole('button', { name: 'History of Paper cup' }).click();
    const past = page.getByRole('dialog', { name: 'History of Paper cup' });
    await expect(past.getByRole('listitem')).toHaveText([/^removed.*Current$/, /^1\.5.*Replaced$/]);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await row(page, 'Coconut milk').click();
    await page.getByRole('textbox', { name: /^Packs/ }).fill('2');
    await field(page).fill('3');
    await expect(page.getByText('= 27')).toBeVisible();
    await field(page).press('Enter');
    await expect(row(page, 'Coconut milk')).toContainText('27');

    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByRole('region', { name: 'Not counted' }).getByRole('button')).toHaveCount(3);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Finish without 3 items' }).click();
    await expect(page.getByText(/Finished by Ana Cruz/)).toBeVisible();
  });

  await test.step('is finished right after its last number', async () => {
    const { storeId, items } = await makeCounted(api);
    await page.goto(address('/store-count', storeId));
    await count(page, 'Red onion', '8');
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('button', { name: 'Finish without 5 items' }).click();
    await expect(page.getByText(/Finished by Ana Cruz/)).toBeVisible();
    await expect(page.getByText(/Finished on this device/)).toHaveCount(0);
    expect((await entriesOf(api, storeId))[items['Red onion'] ?? '']?.qty).toBe(8);
  });

  await test.step('a note and a photo go with a count', async () => {
    const { storeId, items } = await makeCounted(api);
    await page.goto(address('/store-count', storeId));
    await row(page, 'Beef shank').click();
    await field(page).fill('4');
    await page.getByRole('button', { name: 'Note' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('one bag open');
    await page.getByRole('textbox', { name: 'Note' }).press('Enter');
    await expect(row(page, 'Beef shank')).toContainText('one bag open');
    await row(page, 'Beef shank').click();
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png });
    await expect(page.getByRole('img', { name: 'Taken of Beef shank' })).toBeVisible();
    await expect
      .poll(async () => {
        const entry = (await entriesOf(api, storeId))[items['Beef shank'] ?? ''];
        return [entry?.qty, entry?.note, typeof entry?.photo];
      })
      .toEqual([4, 'one bag open', 'string']);
  });

  await test.step('a refused photo stays with its reason, and the next one is sent', async () => {
    const { storeId, items } = await makeCounted(api);
    await page.goto(address('/store-count', storeId));
    const png = (colour: string) => page.evaluate((fill) => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 8;
      const pen = canvas.getContext('2d');
      if (pen) {
        pen.fillStyle = fill;
        pen.fillRect(0, 0, 8, 8);
      }
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    }, colour);
    const detail = 'This picture cannot be read.';
    await page.route('**/api/stores/count/photos?**', (route) =>
      route.fulfill({ status: 422, contentType: 'application/problem+json', json: { code: 'invalid', detail } }),
    );
    const take = async (item: string, colour: string) => {
      await row(page, item).click();
      await field(page).fill('2');
      const buffer = Buffer.from(await png(colour), 'base64');
      await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    };
    await take('Beef shank', 'red');
    await expect(page.getByText(`The photo was not accepted: ${detail}`)).toBeVisible();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('422')]);
    await page.unroute('**/api/stores/count/photos?**');
    await take('Red onion', 'green');
    await expect(page.getByRole('img', { name: 'Taken of Red onion' })).toBeVisible();
    await page.getByRole('button', { name: `Photo not accepted: ${detail}` }).click();
    const drawer = page.getByRole('dialog', { name: 'Counts on this device' });
    await expect(drawer).toContainText(detail);
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Try again' }).click();
    await expect(drawer.getByText(detail)).toHaveCount(0);
    await expect
      .poll(async () => typeof (await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.photo)
      .toBe('string');
  });
});

test('on desktop: items are found, columns pasted, outliers shown, settings changed', async ({ signedIn: page, api }) => {
  await test.step('items are found by name, code and barcode; a pasted column fills down', async () => {
    const { storeId, items } = await makeCounted(api);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(address('/stores/count', storeId));
    const find = page.getByRole('searchbox', { name: 'Find an item' });
    await find.fill('480000001004');
    await expect(page.locator('[data-item]')).toHaveCount(1);
    await find.press('Enter');
    await expect(page.getByRole('group', { name: 'Count of Red onion' })).toBeVisible();
    await find.fill('nothing like it');
    await page.getByRole('button', { name: 'Show all items' }).click();
    await row(page, 'Beef shank').click();
    await field(page).evaluate((input) => {
      const data = new DataTransfer();
      data.setData('text', '3\n4*2\n\n7');
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await expect(page.getByText('3 of 6 counted')).toBeVisible();
    await expect
      .poll(async () => {
        const sent = await entriesOf(api, storeId);
        return ['Beef shank', 'Takeout box', 'Red onion'].map((name) => sent[items[name] ?? '']?.qty);
      })
      .toEqual([3, 8, 7]);
    await expectAccessible(page);
  });

  await test.step('flags values far from the last count, unless the count is blind', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    // The closing window ends at midnight here: otherwise, after midnight, yesterday's count would still be the current
    // one.
    const { storeId, items } = await makeCounted(api, { closingTo: 1439 });
    const send = (entries: object[]) =>
      api.call('POST', '/api/stores/count/batch', { sentAt: new Date().toISOString(), deviceId: 'paper', entries });
    const date = new Date(Date.now() + 8 * 3_600_000 - 86_400_000).toISOString().slice(0, 10);
    const at = new Date().toISOString();
    await send([
      { op: 'paper:1', seq: 1, storeId, date, session: 'closing', itemId: items['Red onion'], qty: 12, at, base: null, prev: null },
    ]);
    await page.goto(address('/stores/count', storeId));
    await expect(row(page, 'Red onion')).toContainText('Last count 12');
    await count(page, 'Red onion', '120');
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByText('yesterday 12, now 120?')).toBeVisible();
    await page.getByRole('button', { name: /^It’s right/ }).click();
    await page.getByRole('button', { name: /^Count again/ }).click();
    await expect(page.getByRole('group', { name: 'Count of Red onion' })).toBeVisible();
    await expect(page.getByText('Yesterday, closing: 12')).toBeVisible();
    await api.call('PUT', `/api/stores/count/settings/${storeId}`, { blind: true });
    await page.reload();
    await expect(row(page, 'Red onion')).toBeVisible();
    await expect(page.getByText('Last count 12')).toHaveCount(0);
    // With or without a question, nothing reveals the previous count.
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByRole('region', { name: 'Not counted' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Check these numbers' })).toHaveCount(0);
    const kept = await api.call<object>('GET', `/api/stores/count/warm-up?storeId=${storeId}`);
    expect(JSON.stringify(kept)).not.toMatch(/"qty":12\b/);
  });

  await test.step('count settings are changed on the count screen', async () => {
    const { storeId } = await makeCounted(api);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(address('/stores/count', storeId));
    await page.getByRole('button', { name: 'How this store counts' }).click();
    const drawer = page.getByRole('dialog', { name: 'How this store counts' });
    await expect(drawer.getByLabel('Closing to')).toHaveValue('02:00');
    await expectAccessible(page);
    await drawer.getByRole('switch', { name: 'Blind count' }).click();
    await drawer.getByRole('button', { name: 'Save settings' }).click();
    await expect(drawer).toBeHidden();
    const settings = await api.call<{ blind: boolean }>('GET', `/api/stores/count/settings/${storeId}`);
    expect(settings.blind).toBe(true);
  });
});

test('one user counts at a time, and held counts are decided', async ({ signedIn: page, api, browser, baseURL }) => {
  await test.step('one user counts at a time; another watches, or takes over', async () => {
    const { storeId } = await makeCounted(api);
    const role = await makeRole(api, {
      apps: { storeCount: { view: true } },
      stores: { storeCount: { view: true, count: true } },
    });
    const ben = await makePerson(api, 'Ben', role.id);
    await page.goto(address('/store-count', storeId));
    await count(page, 'Beef shank', '5');
    const { context, page: other } = await browserOf(browser, baseURL ?? '');
    await other.setViewportSize({ width: 390, height: 844 });
    await admit(context, baseURL ?? '', ben.email);
    await other.goto(address('/store-count', storeId));
    await expect(other.getByText('Ana Cruz is counting here now.')).toBeVisible();
    await expectAccessible(other);
    // Counts made there appear here.
    await count(page, 'Takeout box', '6');
    await expect(row(other, 'Takeout box')).toContainText('6');
    await other.getByRole('button', { name: 'Take over…' }).click();
    await other.getByRole('button', { name: 'Take over count' }).click();
    await count(other, 'Red onion', '7');
    await expect(badge(other)).toHaveText(/^Sent/);
    await expect(page.getByText('Ben is counting here now.')).toBeVisible();
    await context.close();
  });

  await test.step('a count outside its window is held, shown with the reason, and decided', async () => {
    // A window that is already over, at any time of day.
    const minute = Math.floor(((Date.now() + 8 * 3_600_000) % 86_400_000) / 60_000);
    const [openingFrom, openingTo] = minute > 30 ? [0, 15] : [1200, 1260];
    const { storeId, items } = await makeCounted(api, { enforceTimeWindow: true, openingFrom, openingTo });
    const role = await makeRole(api, {
      apps: { storeCount: { view: true } },
      stores: { storeCount: { view: true, count: true } },
    });
    const cora = await makePerson(api, 'Cora', role.id);
    const { context, page: phone } = await browserOf(browser, baseURL ?? '');
    await phone.setViewportSize({ width: 390, height: 844 });
    await admit(context, baseURL ?? '', cora.email);
    await phone.goto(address('/store-count', storeId));
    await expect(phone.getByText(/Counts made now need a manager’s approval/)).toBeVisible();
    await count(phone, 'Beef shank', '9');
    await expect(badge(phone)).toHaveText(/^Held: Opening counts are taken from/);
    await expectAccessible(phone);
    await badge(phone).click();
    await expect(phone.getByRole('region', { name: 'Held' })).toContainText('Beef shank');
    await expectAccessible(phone);
    await phone.getByRole('button', { name: 'Try again' }).click();
    await expect(phone.getByText('Still held.')).toBeVisible();

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/dashboard/main');
    await page.locator(`[data-tile="countsHeld"] li a[href*="${storeId}"]`).click();
    await expect(page.getByRole('dialog')).toContainText('Beef shank');
    await page.goto(address('/stores/count', storeId));
    await page.getByRole('button', { name: '1 held' }).click();
    await expect(page.getByRole('dialog')).toContainText('Beef shank');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Apply 1 count' }).click();
    await expect.poll(async () => (await entriesOf(api, storeId))[items['Beef shank'] ?? '']?.qty).toBe(9);
    await phone.getByRole('button', { name: 'Try again' }).click();
    await expect(phone.getByRole('region', { name: 'Held' })).toHaveCount(0);
    await context.close();
  });
});
