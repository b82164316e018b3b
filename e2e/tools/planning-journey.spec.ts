// From a till's file to an order and a better policy: sales are imported, forecast, overridden by a user, planned,
// ordered, and past days replayed. Every figure was computed by hand: each week sells the same.

import type { Locator, Page } from '@playwright/test';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';
import { walkTo } from '../support/walk.ts';

const DAY = 86_400_000;
const now = Date.now() + 8 * 3_600_000;
/** A business day relative to today. */
const day = (ahead: number): string => new Date(now + ahead * DAY).toISOString().slice(0, 10);
/** A day as the calendar spells it. */
const spelt = (ahead: number): string => {
  const [year, , date] = day(ahead).split('-').map(Number);
  const month = new Date(now + ahead * DAY).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  return `${date} ${month} ${year}`;
};
/** Kilos sold on a day, the same every week; Sunday first. */
const sells = (ahead: number): number => [18, 8, 9, 7, 10, 14, 20][new Date(now + ahead * DAY).getUTCDay()] ?? 0;
/** A meal takes a quarter of a kilo, a sack contains five, a kilo costs 50. */
const [MEAL, SACK, COST] = [0.25, 5, 50];
const WEEKS = 12;
/** Kilos in stock three weeks ago, and last night. */
const [BEFORE, LEFT] = [120, 3];
/** Number of replayed days. */
const REPLAYED = 20;
/** An override for today and tomorrow. */
const FIESTA = 50;

const pesos = (value: number) => `₱${Math.round(value).toLocaleString('en-US')}`;

/** A kitchen that sends rice in sacks to a store, which orders every second day with a lead time of one. */
async function house(api: Api) {
  const make = async (path: string, body: object) => (await api.call<{ id: string }>('POST', path, body)).id;
  const store = await make('/api/stores/locations', { name: 'Makati', code: 'MKT', leadTimeDays: 1, reviewTimeDays: 2 });
  await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const kilo = await make('/api/lists/uoms', { name: 'Kilo', code: 'kg' });
  const sack = await make('/api/lists/uoms', { name: 'Sack', code: 'sack' });
  const rice = await make('/api/lists/root-items', { name: 'Rice (kg)', price: COST });
  await make('/api/products', {
    name: 'Rice, sacks',
    sku: 'RIC',
    baseUom: kilo,
    defaultSellingUom: sack,
    conversions: [{ fromUomId: sack, toUomId: kilo, factor: SACK }],
    rootItemConversions: [{ rootItemId: rice, factor: 1 }],
  });
  await make('/api/lists/pos-items', { description: 'Rice bowl', bom: [{ rootProductId: rice, multiplier: MEAL }] });
  const counted = await make('/api/lists/store-inventory-items', { name: 'Rice, loose', rootItemId: rice, uomId: kilo });
  const relaxed = { enforceTimeWindow: false, timeLockEnabled: false, restrictDate: false };
  await api.call('PUT', `/api/stores/count/settings/${store}`, relaxed);
  const at = new Date().toISOString();
  const entries = [
    [day(-REPLAYED - 1), BEFORE],
    [day(-1), LEFT],
  ].map(([date, qty], i) => ({
    op: `paper:${i + 1}`, seq: i + 1, storeId: store, date, session: 'closing', itemId: counted, qty, at, base: null, prev: null,
  }));
  await api.call('POST', '/api/stores/count/batch', { sentAt: at, deviceId: 'paper', entries });
  return { store };
}

/** Sales of twelve weeks until yesterday, in a till's format. */
function tillFile(): Buffer {
  const lines = Array.from({ length: WEEKS * 7 }, (_, n) => -1 - n).map((ahead) => `${day(ahead)},Makati,Rice bowl,${sells(ahead) / MEAL},99.00`);
  return Buffer.from(['Date,Store,Item,Quantity,Price', ...lines].join('\n'));
}

/** The words of a table's rows. */
async function rowsOf(table: Locator): Promise<string[]> {
  await expect(table.getByRole('row').first()).toBeVisible();
  return (await table.getByRole('row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
}

/** Navigates to another page. */
async function go(page: Page, address: string, heading: string): Promise<void> {
  await walkTo(page, address);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
}

test('a till file becomes a forecast, a plan, an order and a better policy', async ({ signedIn: page, api }) => {
  test.slow();
  const { store } = await house(api);
  const drawer = page.getByRole('dialog');

  await test.step('the sales of twelve weeks are imported', async () => {
    await page.goto('/tools/import-sales-product');
    await page.locator('input[type=file]').setInputFiles({ name: 'till.csv', mimeType: 'text/csv', buffer: tillFile() });
    await page.getByRole('button', { name: 'Check every row' }).click();
    await page.getByRole('button', { name: 'Post sales' }).click();
    await expect(page.getByText('Posted', { exact: true }).first()).toBeVisible();
  });

  await test.step('a forecast is run, and matches the weeks', async () => {
    await go(page, '/tools/services/daily-moving-average', 'Daily moving average');
    await page.getByRole('button', { name: 'Run now' }).click();
    await expect(page.getByText(/^1 items? of 1 stores? forecast from/).first()).toBeVisible();
    const row = page.getByRole('row', { name: /Rice \(kg\)/ });
    const fortnight = Array.from({ length: 14 }, (_, n) => sells(n)).reduce((a, b) => a + b);
    await expect(row.getByRole('cell', { name: String(fortnight), exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Rice (kg)' }).click();
    await expect(page.getByText(/in 14 days/).first()).toContainText(String(fortnight));
  });

  await test.step('a user overrides the forecast for a fiesta, until tomorrow', async () => {
    await page.getByRole('button', { name: 'Override days' }).click();
    await drawer.getByRole('button', { name: 'To', exact: true }).click();
    await page.getByRole('button', { name: spelt(1), exact: true }).click();
    await drawer.getByLabel('Quantity a day').fill(String(FIESTA));
    await drawer.getByLabel('Reason').fill('Fiesta in the street');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save override' }).click();
    await expect(page.getByText('2 days by override')).toBeVisible();
    const { items } = await api.call<{ items: object[] }>('GET', '/api/tools/forecast/overrides');
    expect(items).toEqual([expect.objectContaining({ from: day(0), to: day(1), qty: FIESTA, reason: 'Fiesta in the street' })]);
  });

  const expected = FIESTA + FIESTA + sells(2);
  const sacks = Math.ceil((expected - LEFT) / SACK);
  let why: string[] = [];
  await test.step('the plan orders the shortage for three days, including the fiesta', async () => {
    await go(page, '/dashboard/drp-new', 'Replenishment plan');
    await page.getByRole('button', { name: 'Plan now' }).click();
    await page.getByRole('button', { name: 'Makati' }).click();
    await page.getByRole('button', { name: 'Rice, sacks' }).click();
    const sum = await rowsOf(drawer.getByRole('table', { name: 'The sum' }));
    expect(sum).toEqual([
      `Expected use ${expected} kg`,
      '+ Safety stock 0 kg',
      `= Enough would be ${expected} kg`,
      `− On hand ${LEFT} kg`,
      '− On its way 0 kg',
      '− On order 0 kg',
      `= Missing ${expected - LEFT} kg`,
      `→ Order, in whole packs of ${SACK} kg ${sacks} sack`,
    ]);
    why = await rowsOf(drawer.getByRole('table').nth(1));
    expect(why.find((row) => row.startsWith('Forecast'))).toContain(`${expected} kg`);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  await test.step('it becomes an order with the same figures', async () => {
    await page.getByRole('checkbox', { name: /Rice, sacks/ }).check();
    await page.getByRole('button', { name: 'Make orders' }).click();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Make orders' }).click();
    await drawer.getByRole('link', { name: /^SO-/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^SO-/ })).toBeVisible();
    await expect(page.getByLabel('Order, Rice, sacks')).toHaveValue(String(sacks));
    await page.getByRole('button', { name: `Suggested ${sacks}. Why?` }).click();
    const popover = page.getByRole('dialog', { name: /Why\?$/ });
    expect(await rowsOf(popover)).toEqual(why);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  await test.step('past days are replayed, with the actual orders for comparison', async () => {
    await go(page, `/tools/services/replay?from=${day(-REPLAYED)}&to=${day(-1)}`, 'Replay');
    await expect(page.getByText(`1 item of a store over ${REPLAYED} days`, { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'Start replay' }).click();
    const really = { out: 0, stock: 0, lost: 0 };
    for (let ahead = -REPLAYED, stock = BEFORE; ahead < 0; ahead += 1) {
      if (stock <= 0 || sells(ahead) > stock) really.out += 1;
      really.lost += Math.max(0, sells(ahead) - stock);
      stock = Math.max(0, stock - sells(ahead));
      really.stock += stock / REPLAYED;
    }
    const row = page.getByRole('row', { name: /^What was really ordered/ }).first();
    await expect(row).toContainText(pesos(really.stock * COST));
    await expect(row.getByRole('cell').nth(1)).toHaveText(`${really.out} of ${REPLAYED}`);
    await expect(row).toContainText(pesos(really.lost * COST));
    // The chart has a text alternative.
    await expect(page.getByRole('figure').first()).toContainText(`What was really ordered: ${really.out} days out of stock`);
    const chart = page.getByRole('img', { name: /What was really ordered/ });
    await chart.focus();
    await chart.press('ArrowRight');
    await expect(page.getByText(/Average stock ₱[\d,]+, Days out of stock \d+/)).toBeAttached();
    const { items } = await api.call<{ items: { id: string }[] }>('GET', '/api/tools/services/replay/runs?limit=1');
    const result = await api.call<{ verdict: string; policies: { name: string; outDays: number }[] }>(
      'GET',
      `/api/tools/services/replay/runs/${items[0]?.id}/result`,
    );
    await expect(page.getByText(result.verdict).first()).toBeVisible();
    for (const { name, outDays } of result.policies.slice(1)) {
      await expect(page.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell').nth(1)).toContainText(String(outDays));
    }
  });

  const rules = async () => (await api.call<{ rules: object[] }>('GET', '/api/dashboard/drp-new/settings')).rules;
  await test.step('a policy becomes the setting, and is undone', async () => {
    await page.getByRole('button', { name: 'Use this policy: 90% service' }).click();
    await expect(page.getByText(/“90% service” is now the setting for all stores/)).toBeVisible();
    expect(await rules()).toEqual([expect.objectContaining({ storeId: null, serviceLevel: 0.9, method: 'dow_ma' })]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Use this policy: 90% service' })).toBeVisible();
    expect(await rules()).toEqual([]);
  });

  await test.step('another one is kept, and the settings show it', async () => {
    await page.getByRole('combobox', { name: 'Use for' }).or(page.getByLabel('Use for', { exact: true })).first().click();
    await page.getByRole('option', { name: 'Makati' }).click();
    await page.getByRole('button', { name: 'Use this policy: 99% service' }).click();
    await expect(page.getByText(/“99% service” is now the setting for Makati/)).toBeVisible();
    await expect(page.getByText('In use', { exact: true })).toBeVisible();
    expect(await rules()).toEqual([expect.objectContaining({ storeId: store, serviceLevel: 0.99, method: 'dow_ma' })]);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open settings' }).click();
    const rule = page.getByRole('row', { name: /Makati/ });
    await expect(rule).toContainText('99%');
    await expect(rule).toContainText('Weekday average');
    await page.getByRole('button', { name: 'Makati', exact: true }).click();
    await expect(drawer.getByLabel(/^Service level/)).toHaveValue('99');
    await expectAccessible(page);
  });
});
