// Counting with a scanner that types like a keyboard, without a network.

import { whole } from '../../support/browser.ts';
import { address, field, makeCounted, readyForOffline } from '../../support/counts.ts';
import { admit, browserOf } from '../../support/people.ts';
import { scan } from '../../support/scanner.ts';
import { admin, Server } from '../../support/server.ts';
import { type Api, expect, expectAccessible, test } from '../../support/test.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow', launchOptions: whole });

interface Made {
  id: string;
  revision: number;
}

const PIECE = '4800012345678';
const CASE = '14800012345675';

/** A product of coconut milk alone, with barcodes for the units that its store item is counted in. */
async function productOf(api: Api, itemId: string | undefined): Promise<void> {
  const path = `/api/lists/store-inventory-items/${itemId}`;
  const item = await api.call<Made & { uomId: string; packs: { uomId: string }[] }>('GET', path);
  const root = await api.call<Made>('POST', '/api/lists/root-items', { name: 'Coconut milk' });
  await api.call('PATCH', path, { rootItemId: root.id, rootQtyPerUnit: 1, revision: item.revision });
  const pack = item.packs[0]?.uomId;
  await api.call('POST', '/api/products', {
    name: 'Coconut milk, 400 ml',
    baseUom: item.uomId,
    otherUoms: [{ uomId: pack, whole: true }],
    conversions: [{ fromUomId: pack, toUomId: item.uomId, factor: 12 }],
    rootItemConversions: [{ rootItemId: root.id, factor: 1 }],
    barcodes: [
      { code: PIECE, uomId: item.uomId },
      { code: CASE, uomId: pack },
    ],
  });
}

test('a scanner goes to the item and the field of its unit, offline', async ({ browser }) => {
  const server = await Server.start();
  const office = await browser.newContext({ baseURL: server.url });
  const api = await admit(office, server.url, admin.email, admin.password);
  const { storeId, items } = await makeCounted(api);
  await productOf(api, items['Coconut milk']);
  const { context, page } = await browserOf(browser, server.url);
  await page.setViewportSize({ width: 390, height: 844 });
  await admit(context, server.url, admin.email, admin.password);
  await page.goto(address('/store-count', storeId));
  await expect(page.getByText('0 of 6 counted')).toBeVisible();
  await readyForOffline(page);
  await server.kill();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('0 of 6 counted')).toBeVisible();

  await test.step('an item by its own barcode', async () => {
    await scan(page, '480000001004');
    await expect(page.getByRole('group', { name: 'Count of Red onion' })).toBeVisible();
    await expect(field(page)).toBeFocused();
    await field(page).fill('7');
  });

  await test.step('an item by the barcodes of its product, in the field of the unit', async () => {
    await scan(page, CASE);
    await expect(page.getByRole('group', { name: 'Count of Coconut milk' })).toBeVisible();
    await expect(page.getByText('1 of 6 counted'), 'what was typed before the scan is saved').toBeVisible();
    await expect(page.getByRole('textbox', { name: /^Packs: case/ })).toBeFocused();
    await page.getByRole('textbox', { name: /^Packs: case/ }).fill('2');
    await scan(page, PIECE);
    await expect(field(page)).toBeFocused();
    await expect(page.getByRole('textbox', { name: /^Packs: case/ })).toHaveValue('2');
    await expectAccessible(page);
  });

  await test.step('an unknown code says so, and leads to the search', async () => {
    await scan(page, '5012345678900');
    await expect(page.getByRole('alert').filter({ hasText: 'Nothing here has the code 5012345678900.' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Find it by name' }).click();
    await expect(page.getByRole('searchbox', { name: 'Find an item' })).toBeFocused();
  });
  await context.close();
  await office.close();
  await server.stop();
});
