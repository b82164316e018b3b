// One person in a hurry imports six files of different tills, one after another, with the keyboard.

import type { Locator, Page } from '@playwright/test';
import { DESK, expectFine, expectTappable, PHONE } from '../support/looks.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

const PAGE = '/tools/import-sales-product';
const STORE = 'Hurry Street';

async function choose(page: Page, name: string, lines: readonly string[]): Promise<void> {
  await page.goto(PAGE);
  const buffer = Buffer.from(lines.join('\n'));
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await expect(page.getByText('What does each column mean?')).toBeVisible();
}

async function press(target: Locator, key = 'Enter'): Promise<void> {
  await expect(target).toBeEnabled();
  await target.focus();
  await target.press(key);
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** The control sums of a checked or posted file. */
const sums = (page: Page) => page.getByRole('table', { name: 'The file and what is posted' });

async function check(page: Page): Promise<void> {
  await press(button(page, 'Check every row'));
  await expect(button(page, 'Post sales')).toBeVisible();
}

/** What the review asks: questions about the file, and names that are not known. */
async function expectAsked(page: Page, questions: number, names: number): Promise<void> {
  await expect(sums(page)).toBeVisible();
  await expect(page.getByRole('radiogroup')).toHaveCount(questions);
  await expect(page.getByRole('combobox', { name: /^What “/ })).toHaveCount(names);
}

/** Makes new records of all names that are not known, panel by panel. */
async function makeAllNew(page: Page): Promise<void> {
  const all = button(page, 'Make all new');
  await expect(all.first()).toBeVisible();
  for (let left = await all.count(); left > 0; left -= 1) {
    await press(all.first());
    await press(button(page, /^(Use|Map) \d/).first());
    await expect(all).toHaveCount(left - 1);
  }
}

async function post(page: Page): Promise<void> {
  await press(button(page, 'Post sales'));
  await expectPosted(page);
}

async function expectPosted(page: Page): Promise<void> {
  await expect(sums(page).getByRole('rowheader', { name: 'Posted', exact: true })).toBeVisible({
    timeout: 60_000,
  });
}

interface Day {
  totals: { net: number; qty: number };
}

/** The net sales and the pieces of a day of the store. */
async function soldOn(api: Api, day: string): Promise<[number, number]> {
  const stores = await api.call<{ items: { id: string; name: string }[] }>(
    'GET',
    '/api/stores/locations?pageSize=all',
  );
  const store = stores.items.find(({ name }) => name === STORE);
  const { totals } = await api.call<Day>(
    'GET',
    `/api/tools/import-sales-product/days/${store?.id}/${day}`,
  );
  return [totals.net, totals.qty];
}

test('six files of different tills are imported in a row, and each asks only what it cannot say', async ({
  signedIn: page,
  api,
}) => {
  await test.step('items of Square: new names, and nothing about the file', async () => {
    await choose(page, 'items-2026-10-05.csv', [
      'Date,Time,Time Zone,Category,Item,Qty,Price Point Name,SKU,Modifiers Applied,Gross Sales,Discounts,Net Sales,Tax,Transaction ID,Payment ID,Device Name,Event Type,Location,Dining Option',
      `2026-10-05,10:05:11,Manila,Drinks,Hurry Latte,1.0,Large,HL1,,$160.00,$0.00,$160.00,$0.00,TX1,PX1,Counter iPad,Payment,${STORE},For Here`,
      `2026-10-05,11:20:40,Manila,Meals,Hurry Rice,2.0,,HR1,,$240.00,-$40.00,$200.00,$0.00,TX2,PX2,Counter iPad,Payment,${STORE},For Here`,
    ]);
    await expectAccessible(page);
    await check(page);
    await expectAsked(page, 0, 3);
    await expectAccessible(page);
    await makeAllNew(page);
    await expect(sums(page).getByRole('row', { name: /^To be posted 2 3 ₱360\.00/ })).toBeVisible();
    await post(page);
    await expectAccessible(page);
    expect(await soldOn(api, '2026-10-05')).toEqual([360, 3]);
  });

  await test.step('receipts of Loyverse with a refund and a cancelled one: known items, nothing asked', async () => {
    const receipt = (
      no: string,
      kind: string,
      sku: string,
      item: string,
      qty: string,
      net: string,
      status: string,
    ) =>
      `10/16/26 10:0${no},1-10${no},${kind},Food,${sku},${item},,,${qty},${net},0.00,${net},0.00,0.00,0.00,Dine in,POS 1,${STORE},Owner,,,,${status}`;
    await choose(page, 'receipts-by-item.csv', [
      'Date,Receipt number,Receipt type,Category,SKU,Item,Variant,Modifiers applied,Quantity,Gross sales,Discounts,Net sales,Cost of goods,Gross profit,Taxes,Dining option,POS,Store,Cashier name,Customer name,Customer contacts,Comment,Status',
      receipt('1', 'Sale', 'HR1', 'Hurry Rice', '2.000', '240.00', 'Closed'),
      receipt('2', 'Sale', 'HR1', 'Hurry Rice', '1.000', '120.00', 'Closed'),
      receipt('3', 'Refund', 'HR1', 'Hurry Rice', '-1.000', '-120.00', 'Closed'),
      receipt('4', 'Sale', 'HR1', 'Hurry Rice', '4.000', '480.00', 'Cancelled'),
    ]);
    await button(page, /^More columns/).press('Enter');
    await expectAccessible(page);
    await expect(page.getByText(/reads as 16 Oct 2026/)).toBeVisible();
    await check(page);
    await expectAsked(page, 0, 0);
    await expect(sums(page).getByRole('row', { name: /^To be posted 3 2 ₱240\.00/ })).toBeVisible();
    await expect(
      sums(page).getByRole('row', { name: /^Cancelled, voided or not paid 1 4 ₱480\.00/ }),
    ).toBeVisible();
    await post(page);
    expect(await soldOn(api, '2026-10-16')).toEqual([240, 2]);
  });

  const till = (no: number, ...rows: readonly [receipt: string, status: string, qty: number][]) => [
    'Date,Store,Terminal,Receipt No,Status,Item Code,Item Name,Qty,Unit Price,Net Sales',
    ...rows.map(
      ([receipt, status, qty]) =>
        `2026-10-07,${STORE},T${no},${receipt},${status},HR1,Hurry Rice,${qty},120.00,${qty * 120}.00`,
    ),
  ];
  await test.step('a status word that is not known: one question, answered with one key', async () => {
    await choose(
      page,
      'till1.csv',
      till(1, ['1', 'Completed', 1], ['2', 'Cancelled', 2], ['3', 'Waiting', 3]),
    );
    await check(page);
    await expectAsked(page, 1, 0);
    await expect(page.getByText('1 question is open.')).toBeVisible();
    await expect(button(page, 'Post sales')).toBeDisabled();
    await expectAccessible(page);
    const counts = page.getByRole('radio', { name: /^Counts/ });
    await page.getByRole('radio', { name: /^Leave out/ }).press('2');
    await expect(counts).toBeChecked();
    await expect(sums(page).getByRole('row', { name: /^To be posted 2 4 ₱480\.00/ })).toBeVisible();
    await expect(button(page, 'Post sales')).toBeEnabled();
    await counts.press('Enter');
    await expectPosted(page);
    expect(await soldOn(api, '2026-10-07')).toEqual([480, 4]);
  });

  await test.step('the same day of a second till: added, and nothing asked', async () => {
    await choose(page, 'till2.csv', till(2, ['1', 'Completed', 5]));
    await check(page);
    await expectAsked(page, 0, 0);
    await expect(page.getByText('1 store day was imported before.')).toBeVisible();
    await post(page);
    expect(await soldOn(api, '2026-10-07')).toEqual([1080, 9]);
  });

  await test.step('a summary without date and store: both are given', async () => {
    await choose(page, 'product-mix.csv', [
      'Item name,SKU,Items sold,Net sales',
      'Hurry Latte,HL1,12,1800.00',
      'Hurry Rice,HR1,20,2280.00',
    ]);
    await expect(button(page, 'Check every row')).toBeDisabled();
    await expectAccessible(page);
    const day = page.getByLabel('The file is of one day');
    await day.fill('8 Oct 2026');
    await day.press('Tab');
    const store = page.getByRole('combobox', { name: 'The whole file belongs to' });
    await store.focus();
    await store.pressSequentially('Hurry', { delay: 50 });
    await store.press('ArrowDown');
    await store.press('Enter');
    await expect(store).toHaveValue(STORE);
    await check(page);
    await expectAsked(page, 0, 0);
    await expect(
      sums(page).getByRole('row', { name: /^To be posted 2 32 ₱4,080\.00/ }),
    ).toBeVisible();
    await post(page);
    expect(await soldOn(api, '2026-10-08')).toEqual([4080, 32]);
  });

  await test.step('lines repeated for each way of paying: counted once, and said', async () => {
    const line = (receipt: number, item: string, net: number, paid: string, amount: number) =>
      `2026-10-09,${STORE},${receipt},${item},1,${net}.00,${net}.00,${paid},${amount}.00`;
    await choose(page, 'payments.csv', [
      'Date,Store,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales,Payment Type,Payment Amount',
      line(1, 'HR1,Hurry Rice', 120, 'Cash', 100),
      line(1, 'HL1,Hurry Latte', 60, 'Cash', 100),
      line(1, 'HR1,Hurry Rice', 120, 'GCash', 80),
      line(1, 'HL1,Hurry Latte', 60, 'GCash', 80),
      line(2, 'HR1,Hurry Rice', 120, 'Cash', 120),
    ]);
    await check(page);
    await expectAsked(page, 0, 0);
    await expect(sums(page).getByRole('row', { name: /^In the file 5 5 ₱480\.00/ })).toBeVisible();
    await expect(sums(page).getByRole('row', { name: /^To be posted 3 3 ₱300\.00/ })).toBeVisible();
    const said = page.getByLabel('What the receipts say');
    await expect(said).toHaveText(/Cash₱220\.00.*GCash₱80\.00/);
    await expectFine(page, 'six-files-review');
    await page.setViewportSize(PHONE);
    await expectFine(page, 'six-files-review');
    await expectTappable(page);
    await post(page);
    await expectFine(page, 'six-files-posted');
    await expectTappable(page);
    await page.setViewportSize(DESK);
    await expectAccessible(page);
    expect(await soldOn(api, '2026-10-09')).toEqual([300, 3]);
  });
});
