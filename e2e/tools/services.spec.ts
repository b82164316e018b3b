// Services with the demo's sales: run, scheduled, opened; a forecast with its chart, an override made from it, missing
// sales, forecast accuracy, and an event.

import type { Page } from '@playwright/test';
import { browserOf } from '../support/people.ts';
import { Server } from '../support/server.ts';
import { Api, addressOf, expect, expectAccessible, test } from '../support/test.ts';
import { open } from '../support/walk.ts';

const admin = { email: 'admin@larder.example', password: 'pandesal-at-sunrise' };
const HUB = '/tools/services';
const ADVANCED = `${HUB}/advanced-forecast`;

interface Run {
  id: string;
  state: string;
}
interface Figure {
  storeId: string;
  rootItemId: string;
}

let demo: Server;
test.beforeAll(async () => {
  demo = await Server.startWithDemo();
});
test.afterAll(() => demo?.stop());

/** Runs a service to completion. */
async function run(api: Api, service: string, ask: object): Promise<string> {
  const { id } = await api.call<Run>('POST', `/api${HUB}/${service}/runs`, ask);
  await expect
    .poll(async () => (await api.call<Run>('GET', `/api${HUB}/${service}/runs/${id}`)).state, { timeout: 180_000 })
    .toBe('done');
  return id;
}

const drawer = (page: Page) => page.getByRole('dialog');

test('services are run, and forecasts opened, overridden and evaluated', async ({ browser }) => {
  test.setTimeout(420_000);
  const { context, page } = await browserOf(browser, demo.url);
  const api = new Api(context.request, demo.url);
  await api.signIn(admin.email, admin.password);

  await test.step('a card runs its service, and keeps its schedule', async () => {
    await open(page, demo.url, HUB);
    const card = page.getByRole('article', { name: 'Moving average', exact: true });
    await expect(card.getByText('Runs only when asked')).toBeVisible();
    await page.getByRole('link', { name: 'Moving average', exact: true }).focus();
    await page.keyboard.press('j');
    await expect(page.getByRole('link', { name: 'Daily moving average' })).toBeFocused();
    await card.getByRole('button', { name: 'Run now: Moving average' }).click();
    await expect(card.getByText('Done')).toBeVisible();
    await expect(card.getByText(/items of \d+ stores forecast from/)).toBeVisible();

    await card.getByRole('button', { name: 'Schedule of Moving average' }).click();
    await drawer(page).getByRole('button', { name: 'Monday to Friday' }).click();
    await drawer(page).getByLabel('Time').fill('03:15');
    await expect(drawer(page).getByText('Monday to Friday at 03:15.')).toBeVisible();
    await expectAccessible(page);
    await drawer(page).getByRole('button', { name: 'Save schedule' }).click();
    await expect(card.getByText('Monday to Friday at 03:15')).toBeVisible();

    await card.getByRole('button', { name: 'History of Moving average' }).click();
    await expect(drawer(page).getByRole('cell', { name: /\d/ }).first()).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(drawer(page)).toBeHidden();
  });

  // One store is enough, and fast.
  const [store] = await api.call<{ id: string }[]>('GET', '/api/names/stores');
  const storeIds = [store?.id ?? ''];
  const id = await run(api, 'advanced-forecast', { storeIds, horizon: 14 });
  const { items } = await api.call<{ items: Figure[] }>(
    'GET',
    `/api${HUB}/advanced-forecast/runs/${id}/figures?sort=-sum&limit=1`,
  );
  const first = items[0] as Figure;

  await test.step('a row opens its chart, and as a table', async () => {
    await open(page, demo.url, ADVANCED);
    await page.getByRole('button', { name: 'A day', exact: true }).click();
    await page.getByRole('button', { name: 'A day', exact: true }).click();
    await expect(page).toHaveURL(/sort=-perDay/);
    // Rows that are replaced between press and release open nothing.
    await expect(page.locator('table[aria-busy="true"]')).toHaveCount(0);
    await page.locator('tbody button').first().click();
    await expect(page).toHaveURL(/row=/);
    await expect(page.getByRole('heading', { name: 'How good it was' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Method' })).toBeVisible();
    await expect(page.locator('figure svg.recharts-surface')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await expect(page.getByRole('columnheader', { name: 'Interval' })).toBeVisible();
    await page.getByRole('button', { name: 'Weeks', exact: true }).click();
    await expect(page.getByRole('columnheader', { name: 'Week from' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('columnheader', { name: 'Week from' })).toBeVisible();
  });

  await test.step('an override is made from the chart and is in the list', async () => {
    await open(page, demo.url, `${ADVANCED}?row=${first.storeId}/${first.rootItemId}`);
    await page.getByRole('button', { name: 'Override days' }).click();
    await drawer(page).getByRole('button', { name: 'Save override' }).click();
    await expect(drawer(page).getByText('Enter a quantity a day.')).toBeVisible();
    await drawer(page).getByLabel('Quantity a day').fill('12*6+3');
    await drawer(page).getByLabel('Reason').fill('Fiesta in the street');
    await expectAccessible(page);
    await drawer(page).getByRole('button', { name: 'Save override' }).click();
    await expect(drawer(page)).toBeHidden();
    await expect(page.getByText('1 day by override')).toBeVisible();
    await open(page, demo.url, `${HUB}/overrides`);
    await expect(page.getByRole('cell', { name: 'Fiesta in the street' })).toBeVisible();
  });

  await test.step('a missing day leads to the import', async () => {
    await open(page, demo.url, `${HUB}/daily-sales-coverage`);
    const missing = page.getByRole('link', { name: /: Missing\. No sales were imported\./ }).first();
    await missing.focus();
    await missing.press('Enter');
    await expect(page).toHaveURL(addressOf('/import-sales-product', 'storeIds=.+', 'from=.+', 'to=.+'));
  });

  await test.step('past forecasts are compared with actual sales', async () => {
    const to = new Date(Date.now() - 21 * 86_400_000).toISOString().slice(0, 10);
    await run(api, 'daily-moving-average', { storeIds, to });
    await open(page, demo.url, `${HUB}/accuracy`);
    await expect(page.getByText(/\d+ runs? compared with what was sold/)).toBeVisible();
    await page.locator('tbody button').first().click();
    await expect(page.getByRole('heading', { name: /^Largest misses/ })).toBeVisible();
    await expect(page.getByText(/Off by .+ of what was sold/).first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Method', exact: true }).click();
    await expect(page).toHaveURL(/by=method/);
    await expect(page.getByRole('button', { name: 'Weekday average', exact: true })).toBeVisible();
  });

  await test.step('a closure is entered for one store and stays its own when renamed', async () => {
    await open(page, demo.url, `${HUB}/events`);
    await page.getByRole('button', { name: 'New event', exact: true }).click();
    await drawer(page).getByLabel('Name').fill('Stocktaking');
    await drawer(page).getByText('Closure', { exact: true }).click();
    await drawer(page).getByLabel('Stores', { exact: true }).click();
    await page.getByRole('option', { name: 'Katipunan' }).click();
    await page.keyboard.press('Escape');
    await expect(drawer(page).getByText('nothing', { exact: true })).toBeVisible();
    await drawer(page).getByRole('button', { name: 'Save event' }).click();
    await expect(drawer(page)).toBeHidden();
    await page.getByRole('button', { name: 'Stocktaking', exact: true }).first().click();
    await drawer(page).getByLabel('Name').fill('Yearly stocktaking');
    await drawer(page).getByRole('button', { name: 'Save event' }).click();
    const row = page.getByRole('row', { name: /Yearly stocktaking/ });
    await expect(row.getByRole('cell', { name: 'Katipunan' })).toBeVisible();
    await expectAccessible(page);
  });

  await context.close();
});
