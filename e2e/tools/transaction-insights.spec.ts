// Ticket insights: from a till's file to a pair, and from the pair to a promotion in the planning calendar.

import { postSales } from '../support/sales.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

const line = (day: number, ticket: number, item: string, price: number) =>
  `2026-10-${String(day).padStart(2, '0')},${String(11 + (ticket % 3)).padStart(2, '0')}:${String(ticket % 60).padStart(2, '0')},` +
  `Quiapo,${day}${String(ticket).padStart(3, '0')},${item},1,${price}.00`;

/** Each day 40 tickets of a rice bowl with tea, ten of tea alone, thirty of a cake: two Mondays. */
function lines(): string[] {
  const rows = ['Date,Time,Store,Receipt,Item,Quantity,Price'];
  for (const day of [5, 12]) {
    for (let ticket = 0; ticket < 80; ticket += 1) {
      if (ticket < 40) rows.push(line(day, ticket, 'Rice bowl', 100), line(day, ticket, 'Iced tea', 50));
      else rows.push(ticket < 50 ? line(day, ticket, 'Iced tea', 50) : line(day, ticket, 'Cake', 80));
    }
  }
  return rows;
}

test('a pair of items becomes a promotion', async ({ signedIn: page, api }) => {
  for (const description of ['Rice bowl', 'Iced tea', 'Cake']) {
    await api.call('POST', '/api/lists/pos-items', { description });
  }
  await api.call('POST', '/api/stores/locations', { name: 'Quiapo', code: 'QPO' });
  await postSales(page, api, 'tickets.csv', lines());

  await page.goto('/tools/transaction-insights?from=2026-10-12&to=2026-10-12');
  await expect(page.getByRole('heading', { name: 'Transaction insights', level: 1 })).toBeVisible();
  await expect(page.getByText('80 tickets of 1 store-day')).toBeVisible();
  // 40 × 150 + 10 × 50 + 30 × 80 = 8,900 on 80 tickets.
  await expect(page.getByText('₱111.25').first()).toBeVisible();
  await test.step('hours as a table', async () => {
    await page.getByRole('group', { name: 'Hours as' }).getByRole('button', { name: 'Table' }).click();
    const hours = page.getByRole('region', { name: 'Tickets an open hour, table' });
    await expect(hours.getByRole('row').filter({ hasText: '11:00' })).toContainText('27.0');
  });
  await test.step('compared with the previous week', async () => {
    await page.getByLabel('Compare with').selectOption({ label: 'Compare with chosen days' });
    await page.goto(`${page.url()}&since=2026-10-05&until=2026-10-05`);
    await expect(page.getByText('before: ₱111.25')).toBeVisible();
  });
  await test.step('a part of the day has no tickets', async () => {
    await page.getByRole('button', { name: 'Breakfast' }).click();
    await expect(page.getByText('Nothing is bought together often enough')).toBeVisible();
    await page.getByRole('button', { name: 'Whole day' }).click();
  });
  await test.step('the file has the pairs', async () => {
    const got = await page.request.get(
      '/api/tools/transaction-insights/export?from=2026-10-12&to=2026-10-12&table=pairs&format=csv',
    );
    expect(await got.text()).toContain(',40,0.5,');
  });
  // 40 · 80 ÷ (40 · 50) = 1.6.
  await page.getByRole('link', { name: /Rice bowl/ }).or(page.getByRole('button', { name: /Rice bowl/ })).first().click();
  const drawer = page.getByRole('dialog', { name: /Rice bowl/ });
  await expect(drawer).toContainText('1.60 times as often as others');
  await expectAccessible(page);
  await drawer.getByRole('link', { name: 'Make a promotion' }).click();
  await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible();
  const event = page.getByRole('dialog', { name: 'New event' });
  await expect(event.getByLabel('Name')).toHaveValue(/Rice bowl.* together/);
  await event.getByRole('button', { name: 'Save event' }).click();
  await expect(event).toBeHidden();
  await expect(page.getByText(/Rice bowl.* together/).first()).toBeVisible();
});
