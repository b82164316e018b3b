// Figures of reports lead to what they are made of: to the days, counts, rents and documents of their row.

import type { Page } from '@playwright/test';
import { browserOf } from '../support/people.ts';
import { Server } from '../support/server.ts';
import { Api, expect, test } from '../support/test.ts';

const admin = { email: 'admin@larder.example', password: 'pandesal-at-sunrise' };
const DAYS = 'from=2026-10-26&to=2026-11-22';
const STORE = String.raw`[0-9a-z]+`;

/** The report, a column by its heading, and where its figures lead. */
const LEADS: [report: string, column: RegExp, to: RegExp][] = [
  [`count-variance?${DAYS}`, /^Expected/, new RegExp(`/stores/inventory\\?store=${STORE}&by=rootItems&item=${STORE}&since=2026-`)],
  [`count-variance?${DAYS}&by=items`, /^Variance \(₱\)/, new RegExp(`/stores/inventory\\?store=${STORE}&by=items&item=${STORE}&since=2026-`)],
  [`count-compliance?${DAYS}`, /^(Mon, )?16 Nov|^Nov 16/, new RegExp(`/stores/count\\?store=${STORE}&date=2026-11-16&session=(opening|closing)`)],
  [`occupancy?from=2026-10-01&to=2026-10-31`, /^Net ₱/, new RegExp(`/reports/product-sales-by-store\\?from=2026-10-01&to=2026-10-31&stores=${STORE}`)],
  [`occupancy?from=2026-10-01&to=2026-10-31`, /^Fixed rent/, new RegExp(`/sales/cmsr\\?store=${STORE}&month=2026-10|/stores/locations/${STORE}`)],
  [`store-scorecard?${DAYS}`, /^Ticket ₱/, new RegExp(`/reports/sales-terminal\\?${DAYS}&stores=${STORE}`)],
  [`store-scorecard?${DAYS}`, /^Fill rate/, new RegExp(`/stores/orders\\?storeId=${STORE}&${DAYS}`)],
  [`store-scorecard?${DAYS}`, /^Forecast/, new RegExp(`/tools/services/accuracy\\?store=${STORE}&${DAYS}`)],
  [`store-scorecard?${DAYS}`, /^Waste/, new RegExp(`/stores/transactions\\?tab=waste&storeId=${STORE}&${DAYS}`)],
  [`food-cost?${DAYS}`, /^Over recipe/, new RegExp(`/reports/root-item-movement-by-store\\?${DAYS}&stores=${STORE}`)],
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
