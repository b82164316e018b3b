// From a till's file to posted sales; and invalid files.

import type { Page } from '@playwright/test';
import { type File, realFile } from '../support/data.ts';
import { DESK, expectFine, expectTappable, PHONE } from '../support/looks.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

const PAGE = '/tools/import-sales-product';
const restaurant = realFile('restaurant_orders.csv');
const bakery = realFile('bakery_transactions.csv');

const file = (name: string, content: string | Buffer): File => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content as string),
});

async function choose(page: Page, what: File): Promise<void> {
  await page.goto(PAGE);
  await page.locator('input[type=file]').setInputFiles(what);
}

async function check(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check every row' }).click();
  await expect(page.getByRole('button', { name: 'Post sales' })).toBeVisible();
}

/** Answers every open question about names with «make new». */
async function makeAllNew(page: Page): Promise<void> {
  const all = page.getByRole('button', { name: 'Make all new' });
  const confirm = page.getByRole('button', { name: /^(Use|Map) \d/ });
  await expect(all.first()).toBeVisible();
  for (let left = await all.count(); left > 0; left -= 1) {
    await all.first().click();
    await confirm.first().click();
    await expect(all).toHaveCount(left - 1);
  }
}

async function post(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Post sales' }).click();
}

/** The control sums: in the file, to be posted, left out by reason. */
const sums = (page: Page) => page.getByRole('table', { name: 'The file and what is posted' });

async function posted(page: Page): Promise<void> {
  await expect(page.getByText('Posted', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
}

interface Weekly {
  weekLabels: string[];
  totals: number[];
  grandTotal: number;
  netTotal: number;
}

const weekly = (api: Api) =>
  api.call<Weekly>('GET', '/api/reports/weekly-root-item-sales?by=pos&from=2015-09-01&to=2019-08-03');

async function expectRestaurantFigures(api: Api): Promise<void> {
  const report = await weekly(api);
  const of = (label: string) => report.totals[report.weekLabels.indexOf(label)];
  expect([report.grandTotal, report.netTotal, of('2019-W10'), of('2018-W52')]).toEqual([93_041, 446_517.45, 700, 672]);
}

test.describe.serial('the restaurant file', () => {
  test('the restaurant file adds up, also when imported again or after a power failure', async ({ signedIn: page, api, server, complaints }) => {
    await test.step('is read, mapped, posted, and adds up', async () => {
      await choose(page, restaurant);
      await expect(page.getByText('What does each column mean?')).toBeVisible();
      await expectAccessible(page);
      await check(page);
      await expect(page.getByText('248 items are not mapped.')).toBeVisible();
      await expectAccessible(page);
      await makeAllNew(page);
      for (const figure of ['74,818', '93,041', '446,517.45', '1,207', '1 Sep 2015', '3 Aug 2019']) {
        await expect(page.getByText(figure).first(), figure).toBeVisible();
      }
      await post(page);
      await posted(page);
      await expectAccessible(page);
      await expectRestaurantFigures(api);
      const stores = await api.call<{ items: { name: string }[] }>('GET', '/api/stores/locations?pageSize=all');
      const places = ['Camden', 'Hackney', 'Haringey', 'Islington', 'Kensington', 'London'];
      expect(stores.items.map((store) => store.name)).toEqual(expect.arrayContaining(places));
    });

    await test.step('changes no figure when it is imported again, and asks nothing', async () => {
      await choose(page, restaurant);
      await check(page);
      await post(page);
      await posted(page);
      await expectRestaurantFigures(api);
      await page.goto(`${PAGE}/records`);
      await expect(page.getByText('restaurant_orders.csv').first()).toBeVisible();
      await expectAccessible(page);
      await page.goto(`${PAGE}/terminal-summary`);
      await expectAccessible(page);
      await page.goto(`${PAGE}?from=2019-03-01&to=2019-03-31`);
      await expectAccessible(page);
    });

    await test.step('ends with the same figures after a power failure halfway', async () => {
      const batches = await api.call<{ items: { id: string; state: string }[] }>('GET', '/api/tools/import-sales-product/batches');
      for (const { id } of batches.items.filter(({ state }) => state === 'posted')) {
        await api.call('POST', `/api/tools/import-sales-product/batches/${id}/revert`, {});
      }
      await expect.poll(async () => (await weekly(api)).grandTotal, { timeout: 60_000 }).toBe(0);

      await choose(page, restaurant);
      await check(page);
      await post(page);
      // Some of the file's 1,563 store-days are written, and not all.
      const storeDays = () => server.count('select count(*) as count from sales_days');
      await expect.poll(storeDays, { timeout: 60_000, intervals: [5] }).toBeGreaterThan(0);
      await server.kill();
      expect(storeDays()).toBeGreaterThan(0);
      expect(storeDays()).toBeLessThan(1_563);
      await server.serve();
      await expect
        .poll(async () => (await weekly(api).catch(() => null))?.grandTotal, { timeout: 90_000, intervals: [500] })
        .toBe(93_041);
      await expectRestaurantFigures(api);
      // While the server was down the open page could not reach it; no other error is allowed.
      const others = complaints.filter((text) => !/Failed to load resource|ERR_|EventSource/.test(text));
      complaints.length = 0;
      expect(others).toEqual([]);
    });

    await test.step('is read by week, down to a day and its lines', async () => {
      await page.goto('/reports/weekly-root-item-sales?from=2019-03-04&to=2019-03-10&by=pos');
      await expect(page.getByText('700').first()).toBeVisible();
      await expectAccessible(page);
      await page.goto('/reports/product-sales-by-store?from=2019-01-01&to=2019-06-30');
      await expect(page.getByText('Kensington').first()).toBeVisible();
      await expectAccessible(page);
      await page.goto('/reports/sales-by-root-items?from=2019-01-01&to=2019-06-30');
      await expectAccessible(page);
      await page.goto('/reports/standard');
      await expectAccessible(page);
    });
  });
});

test('the bakery file, without header, price and quantity, is imported through the mapping step', async ({ signedIn: page, api }) => {
  const store = await api.call<{ id: string; name: string }>('POST', '/api/stores/locations', { name: 'Corner bakery', code: 'BAK' });
  await choose(page, bakery);
  await expect(page.getByText('What does each column mean?')).toBeVisible();
  await expect(page.getByText('No quantity column: each row counts as one.')).toBeVisible();
  await page.getByLabel('The whole file belongs to').first().click();
  await page.getByRole('option', { name: store.name }).click();
  await check(page);
  await expect(page.getByText('21,293').first()).toBeVisible();
  await makeAllNew(page);
  await post(page);
  await posted(page);
  const report = await api.call<Weekly>('GET', `/api/reports/weekly-root-item-sales?by=pos&from=2016-10-30&to=2017-04-09&storeIds=${store.id}`);
  expect(report.grandTotal).toBe(21_293);
});

test('bad rows are reported one by one, and another format is refused with a message', async ({ signedIn: page, api, complaints }) => {
  await test.step('bad rows are reported one by one, and the good ones are imported', async () => {
    await api.call('POST', '/api/stores/locations', { name: 'North', code: 'N1' });
    const rows = [
      'Date,Store,Receipt,Item,Quantity,Price',
      '2026-10-01,North,1,Soup,2,50.00',
      '31/31/2019,North,2,Soup,1,50.00',
      '2026-10-01,North,3,Soup,1,five',
      '2026-10-01,North,4,"=HYPERLINK(""http://evil.example"")",1,10.00',
      '2026-10-01,North,5,Tea,many,10.00',
    ];
    await choose(page, file('odd.csv', rows.join('\n')));
    await check(page);
    await page.getByRole('button', { name: 'Show' }).click();
    await expect(page.getByText('31/31/2019')).toBeVisible();
    await expect(page.getByText('five', { exact: true })).toBeVisible();
    await expect(page.getByText('many', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await makeAllNew(page);
    await post(page);
    await posted(page);
    const csv = await page.request.get('/api/lists/pos-items/export?format=csv');
    expect(await csv.text()).toContain("'=HYPERLINK");
  });

  await test.step('a file of another format is refused with a message', async () => {
    for (const [name, content] of [
      ['truncated.xlsx', Buffer.from('504b0304140000000800', 'hex')],
      ['picture.csv', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
      ['empty.csv', Buffer.alloc(0)],
      ['paper.pdf', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ] as const) {
      await choose(page, file(name, content));
      await expect(page.getByRole('alert').first(), name).toBeVisible();
      await expect(page.getByText('Something went wrong')).toHaveCount(0);
    }
    const unexpected = complaints.filter((text) => !/status of 4\d\d/.test(text));
    complaints.length = 0;
    expect(unexpected).toEqual([]);
  });
});

test('receipts of a till and an unusual layout are read after the questions', async ({ signedIn: page, api }) => {
  const lines = [
    'Receipt No,Date,Store,Terminal,Item,Qty,Price,Discount,Pax,Senior Discount,VATable Sales,VAT Amount,VAT Exempt Sales,Zero Rated Sales,Payment Type',
    '9001,2026-10-13,Question Street,01,Asked Rice,2,56.00,0,3,11.20,100.00,12.00,0,0,Cash',
    '9001,2026-10-13,Question Street,01,Asked Tea,1,56.00,11.20,3,11.20,0,0,44.80,0,Cash',
    '9002,2026-10-13,Question Street,01,Asked Rice,1,56.00,0,2,0,50.00,6.00,0,0,Card',
    '9002,2026-10-13,Question Street,01,Asked Tea,3,56.00,0,2,0,150.00,18.00,0,0,Card',
  ];
  await test.step('a value repeated on every line is asked about, and counted once', async () => {
    await choose(page, file('receipts.csv', lines.join('\n')));
    await expect(page.getByText('Count them once?').first()).toBeVisible();
    const once = page.getByRole('radio', { name: /^Once for the receipt/ });
    await expect(once).not.toBeChecked();
    await expect(page.getByText(/1 question is open: the rows are checked with the suggestions/)).toBeVisible();
    await expectAccessible(page);
    await once.focus();
    await page.keyboard.press('1');
    await expect(once).toBeChecked();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Post sales' })).toBeVisible();
    await expect(page.getByText('Guests')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Make all new' }).first()).toBeVisible();
    await makeAllNew(page);
    await post(page);
    await posted(page);
  });
  await test.step('the day shows the receipt-level figures', async () => {
    const coverage = await api.call<{ stores: { id: string; name: string }[] }>(
      'GET',
      '/api/tools/import-sales-product/coverage?from=2026-10-13&to=2026-10-13',
    );
    const store = coverage.stores.find(({ name }) => name === 'Question Street');
    await page.goto(`${PAGE}/import/${store?.id}/2026/10/13`);
    const said = page.getByRole('region', { name: 'What the receipts say' });
    await expect(said.getByText('2, 5 guests')).toBeVisible();
    await expect(said.getByText('380.80')).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('one column per day, with totals', async () => {
    const wide = [
      'Item sales,,,,',
      'Branch:,Question Street,,,',
      'Item,2026-10-14,2026-10-15,2026-10-16,Total',
      'Asked Rice,3,0,2,5',
      'Asked Tea,1,4,0,5',
      'Total,4,4,2,10',
    ];
    await choose(page, file('days.csv', wide.join('\n')));
    await page.getByRole('radio', { name: /^Quantities/ }).click();
    await check(page);
    await expect(sums(page).getByRole('row', { name: /^To be posted \d+ 10 / })).toBeVisible();
    await post(page);
    await posted(page);
  });
});

test('questions found by the check are answered in the review, and the sums follow', async ({ signedIn: page }) => {
  const lines = [
    'Date,Store,Receipt No,Status,Item Code,Item Name,Qty,Unit Price,Net Sales',
    '2026-10-19,Status Street,1,Completed,ST1,Status Rice,1,120.00,120.00',
    '2026-10-19,Status Street,2,Cancelled,ST1,Status Rice,2,120.00,240.00',
    '2026-10-19,Status Street,3,Preparing,ST1,Status Rice,1,120.00,120.00',
    '2026-10-19,Status Street,4,Unpaid,ST1,Status Rice,1,120.00,120.00',
  ];
  await test.step('an unknown word is asked about before posting', async () => {
    await choose(page, file('status.csv', lines.join('\n')));
    await check(page);
    await makeAllNew(page);
    await expect(page.getByText('1 question is open.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Post sales' })).toBeDisabled();
    await expect(sums(page).getByRole('row', { name: /^In the file \d+ 5 ₱600\.00/ })).toBeVisible();
    await expect(sums(page).getByRole('row', { name: /^To be posted \d+ 1 ₱120\.00/ })).toBeVisible();
    await expectFine(page, 'sales-questions');
    await page.setViewportSize(PHONE);
    await expectFine(page, 'sales-questions');
    await expectTappable(page);
    await page.setViewportSize(DESK);
  });
  await test.step('the answer checks the file again, and stays here', async () => {
    const counts = page.getByRole('radio', { name: /^Counts/ });
    await counts.click();
    await expect(sums(page).getByRole('row', { name: /^To be posted \d+ 2 ₱240\.00/ })).toBeVisible();
    await expect(counts).toBeChecked();
    await expect(page.getByText(/^Ready to post \d+ lines of 1 store day\.$/)).toBeVisible();
  });
  await test.step('the rows left out are one click away', async () => {
    await sums(page).getByRole('button').first().click();
    const rows = page.getByRole('dialog');
    await expect(rows.getByText(/Cancelled/).first()).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(rows).toHaveCount(0);
    await post(page);
    await posted(page);
  });
});

test('a file without dates takes one day', async ({ signedIn: page, api }) => {
  const store = await api.call<{ id: string; name: string }>('POST', '/api/stores/locations', { name: 'Summary Street', code: 'SUM' });
  const lines = ['Item name,SKU,Items sold,Net sales', 'Summary Latte,SU1,12,1800.00', 'Summary Rice,SU2,20,2280.00'];
  await choose(page, file('items.csv', lines.join('\n')));
  await page.getByLabel('The whole file belongs to').first().click();
  await page.getByRole('option', { name: store.name }).click();
  await expect(page.getByRole('button', { name: 'Check every row' })).toBeDisabled();
  await page.getByLabel('The file is of one day').fill('13 Oct 2026');
  await page.getByLabel('The file is of one day').blur();
  await expectAccessible(page);
  await check(page);
  await makeAllNew(page);
  await expect(sums(page).getByRole('row', { name: /^To be posted 2 32 ₱4,080\.00/ })).toBeVisible();
  await post(page);
  await posted(page);
  const day = await api.call<{ totals: { net: number } }>('GET', `/api/tools/import-sales-product/days/${store.id}/2026-10-13`);
  expect(day.totals.net).toBe(4080);
});

test('a second file of a store-day is added where tills differ, and asks otherwise', async ({ signedIn: page, api, complaints }) => {
  const store = await api.call<{ id: string; name: string }>('POST', '/api/stores/locations', { name: 'Second Street', code: 'SEC' });
  const net = async () =>
    (await api.call<{ totals: { net: number } }>('GET', `/api/tools/import-sales-product/days/${store.id}/2026-10-20`)).totals.net;
  const till = (no: string, ...rows: string[]) =>
    file(`till${no}.csv`, ['Date,Store,Terminal,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales', ...rows].join('\n'));
  const app = [
    'Date,Store,Channel,Receipt No,Item Code,Item Name,Qty,Unit Price,Net Sales',
    '2026-10-20,Second Street,GrabFood,GF-1,SE1,Second Rice,3,150.00,450.00',
  ];
  await test.step('two tills of a day add up, unasked', async () => {
    await choose(
      page,
      till('1', '2026-10-20,Second Street,T1,1,SE1,Second Rice,1,120.00,120.00', '2026-10-20,Second Street,T1,2,SE1,Second Rice,2,120.00,240.00'),
    );
    await check(page);
    await makeAllNew(page);
    await post(page);
    await posted(page);
    await choose(page, till('2', '2026-10-20,Second Street,T2,1,SE1,Second Rice,5,120.00,600.00'));
    await check(page);
    await post(page);
    await posted(page);
    await expect.poll(net).toBe(960);
  });
  await test.step('a file without tills asks, with the sums of each choice', async () => {
    await choose(page, file('grab_delivery.csv', app.join('\n')));
    await check(page);
    await post(page);
    const dialog = page.getByRole('dialog', { name: 'Already imported; replace?' });
    await expect(dialog.getByText(/^Second Street, 20 Oct 2026$/)).toBeVisible();
    // The browser reports the refusal that the dialog shows; no other error is allowed.
    const others = complaints.filter((text) => !/status of 409/.test(text));
    complaints.length = 0;
    expect(others).toEqual([]);
    await expect(dialog.getByRole('radio', { name: /^Add.*Afterwards ₱1,410\.00/ })).toBeFocused();
    await expect(dialog.getByRole('radio', { name: /^Replace the day.*Afterwards ₱450\.00/ })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Post sales' })).toBeDisabled();
    await expectFine(page, 'sales-second-file');
    await page.setViewportSize(PHONE);
    await expectFine(page, 'sales-second-file');
    await expectTappable(page, '[role=dialog]');
    await page.setViewportSize(DESK);
    await dialog.getByRole('radio', { name: /^Add/ }).focus();
    await page.keyboard.press('1');
    await dialog.getByRole('button', { name: 'Add and post' }).click();
    await posted(page);
    await expect.poll(net).toBe(1410);
  });
});
