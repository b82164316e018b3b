// Figures of reports lead to what they are made of: to the days, counts, rents and documents of their row.

import type { Page } from '@playwright/test';
import { browserOf } from '../support/people.ts';
import { Server } from '../support/server.ts';
import { Api, addressOf, expect, test } from '../support/test.ts';

const admin = { email: 'admin@larder.example', password: 'pandesal-at-sunrise' };
const DAYS = 'from=2026-10-26&to=2026-11-22';
const OF_DAYS = DAYS.split('&');
const OCTOBER = 'from=2026-10-01&to=2026-10-31';
const OF_OCTOBER = OCTOBER.split('&');
const ID = '[0-9a-z]+';

const either = (a: RegExp, b: RegExp): RegExp => new RegExp(`${a.source}|${b.source}`);

/** The report, a column by its heading, and where its figures lead. */
const LEADS: [report: string, column: RegExp, to: RegExp][] = [
  [`count-variance?${DAYS}`, /^Expected/, addressOf('/stores/inventory', `store=${ID}`, 'by=rootItems', `item=${ID}`, 'since=2026-.*')],
  [`count-variance?${DAYS}&by=items`, /^Variance \(₱\)/, addressOf('/stores/inventory', `store=${ID}`, 'by=items', `item=${ID}`, 'since=2026-.*')],
  [`count-compliance?${DAYS}`, /^(Mon, )?16 Nov|^Nov 16/, addressOf('/stores/count', `store=${ID}`, 'date=2026-11-16', 'session=(opening|closing)')],
  [`occupancy?${OCTOBER}`, /^Net ₱/, addressOf('/reports/product-sales-by-store', ...OF_OCTOBER, `stores=${ID}`)],
  [`occupancy?${OCTOBER}`, /^Fixed rent/, either(addressOf('/sales/cmsr', `store=${ID}`, 'month=2026-10'), addressOf(`/stores/locations/${ID}`))],
  [`store-scorecard?${DAYS}`, /^Ticket ₱/, addressOf('/reports/sales-terminal', ...OF_DAYS, `stores=${ID}`)],
  [`store-scorecard?${DAYS}`, /^Fill rate/, addressOf('/stores/orders', ...OF_DAYS, `storeId=${ID}`)],
  [`store-scorecard?${DAYS}`, /^Forecast/, addressOf('/tools/services/accuracy', ...OF_DAYS, `store=${ID}`)],
  [`store-scorecard?${DAYS}`, /^Waste/, addressOf('/stores/transactions', ...OF_DAYS, 'tab=waste', `storeId=${ID}`)],
  [`count-people?${DAYS}`, /^Counts/, addressOf('/reports/count-people', ...OF_DAYS, 'person=[^&]+', 'figure=counts')],
  [`count-people?${DAYS}`, /^Days/, addressOf('/reports/count-people', ...OF_DAYS, 'person=[^&]+', 'figure=days')],
  [`food-cost?${DAYS}`, /^Over recipe/, addressOf('/reports/root-item-movement-by-store', ...OF_DAYS, `stores=${ID}`)],
];

async function pick(page: Page, column: RegExp): Promise<void> {
  const heading = page.getByRole('columnheader', { name: column }).first();
  await expect(heading).toBeVisible();
  const nth = await heading.getAttribute('aria-colindex');
  await page.locator(`tbody td[aria-colindex="${nth}"][data-pick]`).first().click();
}

test('figures of reports open', async ({ browser }) => {
  const demo = await Server.startWithDemo();
  const { context, page } = await browserOf(browser, demo.url);
  await new Api(context.request, demo.url).signIn(admin.email, admin.password);
  for (const [report, column, leads] of LEADS) {
    await test.step(`${report} ${column}`, async () => {
      await page.goto(`${demo.url}/reports/${report}`);
      await pick(page, column);
      await expect(page).toHaveURL(leads);
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }
  await context.close();
  await demo.stop();
});
