// A reading that differs from the day's imported sales: said at the top, asked about once; and the keys of the review.

import { addDays, today } from '../../web/src/ui/dates.ts';
import { putSales } from '../support/sales.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

// Fixed when the file is loaded: its days stay the same past midnight.
const start = today();
const dayAgo = (ago: number) => addDays(start, -ago);
const BASE = '/api/sales/z-reading';

test('what fails is at the top and asked about once', async ({ signedIn: page, api, server, complaints }) => {
  const store = await api.call<{ id: string }>('POST', '/api/stores/locations', {
    name: 'Cubao',
    code: 'CUB',
    openingDate: '2020-01-01',
  });
  const typed = (counter: number, ago: number, net = 1_120) => ({
    storeId: store.id,
    terminalId: '01',
    businessDate: dayAgo(ago),
    zCounter: counter,
    gross: 1_200,
    net,
    vatable: 1_000,
    vat: 120,
    otherDiscount: 80,
    previousTotal: 1_120 * (counter - 1),
    presentTotal: 1_120 * counter,
  });
  const make = (body: object) => api.call<{ id: string }>('POST', BASE, body);
  await make(typed(1, 5));
  const wrong = await make(typed(2, 4, 1_121));
  const differs = await make(typed(3, 3));
  putSales(server, store.id, dayAgo(3), 1_500);

  await test.step('the review begins with the one that fails, and says why above its fields', async () => {
    await page.goto('/sales/z-reading');
    await page.getByRole('button', { name: 'Review 3', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(wrong.id));
    const failing = page.getByRole('region', { name: 'What fails' });
    await expect(failing).toContainText('sums do not agree');
    await expect(failing).toContainText('Net ₱1,121.00 ≠ Gross less deductions ₱1,120.00');
    await expectAccessible(page);
  });

  await test.step('help shows the keys from a field too', async () => {
    const net = page.getByLabel('Net sales', { exact: true });
    await net.focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Help: Z-reading' });
    await expect(keys).toContainText('Leave it for later');
    await page.keyboard.press('Escape');
    await expect(keys).toHaveCount(0);
    await expect(net).toHaveValue(/^1,?121/);
  });

  await test.step('imported sales that differ are asked about once, and Enter confirms', async () => {
    await page.goto(`/sales/z-reading/${differs.id}`);
    await expect(page.getByText('Slip adds up; imported sales differ by ₱380.00')).toBeVisible();
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Imported sales differ' });
    await expect(dialog).toContainText('Imported sales differ by ₱380.00. Verify anyway?');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await api.call<{ state: string }>('GET', `${BASE}/${differs.id}`)).state).toBe('verified');
  });

  await test.step('N makes a reading in every view, which follows the reading before its day', async () => {
    for (const view of ['calendar', 'chain', 'tills']) {
      await page.goto(`/sales/z-reading?view=${view}&storeId=${store.id}`);
      await expect(page.getByRole('heading', { name: 'Z-readings' })).toBeVisible();
      await page.keyboard.press('n');
      await expect(page.getByRole('heading', { name: 'New Z-reading' })).toBeVisible();
    }
    await page.goto(`/sales/z-reading/new?storeId=${store.id}&terminalId=01&date=${dayAgo(2)}`);
    await expect(page.getByLabel('Z counter')).toHaveValue('4');
    await page.goto(`/sales/z-reading/new?storeId=${store.id}&terminalId=01&date=${dayAgo(4)}`);
    await expect(page.getByText(/No counter is left for this day\./)).toBeVisible();
  });
  // The first answer about sales was refused on purpose.
  expect(complaints.splice(0).filter((said) => !/409/.test(said))).toEqual([]);
});
