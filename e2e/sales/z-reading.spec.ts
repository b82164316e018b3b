// Z-readings from the picture to the verified day: dropped in bulk, reviewed by keyboard, verified; and the settings
// and labels of a till.

import { readFileSync } from 'node:fs';
import { addDays, today } from '../../web/src/ui/dates.ts';
import { day as written } from '../../web/src/ui/format.ts';
import { draw } from '../support/receipts.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

interface Reading {
  id: string;
  state: string;
  zCounter: number | null;
  net: number | null;
  terminalId: string;
  read?: { verdict: string; fields: Record<string, { value: string | null; doubtful: boolean }> };
}

// Fixed when the file is loaded: its days stay the same past midnight.
const start = today();
const dayAgo = (ago: number) => addDays(start, -ago);
const readings = (api: Api, query = '') => api.call<{ items: Reading[]; total: number }>('GET', `/api/sales/z-reading${query}`);

test('pictures are dropped, reviewed by keyboard and verified', async ({ signedIn: page, api, server, complaints }) => {
  // The real reader takes seconds of processor time per picture, and other tests may need it, too.
  test.setTimeout(400_000);
  const make = (path: string, body: object) => api.call<{ id: string }>('POST', path, body);
  const store = await make('/api/stores/locations', {
    name: 'Cubao',
    code: 'CUB',
    openingDate: '2020-01-01',
    posCode: 'CUB',
    netsuiteCustomerName: 'Cubao walk-in',
    posTerminals: [{ posCode: 'CUB', terminalId: '01' }],
  });
  await api.call('PUT', `/api/sales/z-reading/terminals/${store.id}/01`, {
    basis: 'net',
    vat: 'exclusive',
    min: '17527501567630775',
    tin: '607-747-140-00095',
    revision: 0,
  });

  await test.step('three pictures are dropped and read', async () => {
    await page.goto(`${server.url}/tools/services/zreading-ocr`);
    await expect(page.getByRole('heading', { name: 'Z-reading OCR' })).toBeVisible();
    const pictures = [];
    for (const counter of [1, 2, 3]) {
      const buffer = await draw(page, { date: dayAgo(5 - counter), counter });
      pictures.push({ name: `z${counter}.png`, mimeType: 'image/png', buffer });
    }
    await page.locator('input[type=file]').setInputFiles(pictures);
    await expect(page.getByRole('link', { name: /Cubao/ })).toHaveCount(3, { timeout: 60_000 });
    await expect.poll(async () => (await readings(api, '?state=needsReview')).total, { timeout: 240_000 }).toBe(3);
    await expect(page.getByText(/Till 01 · Z 3/)).toBeVisible({ timeout: 15_000 });
    await expectAccessible(page);
    const { items } = await readings(api, '?sort=date');
    expect(items.map(({ zCounter, net, terminalId }) => [zCounter, net, terminalId])).toEqual([
      [1, 1120, '01'],
      [2, 1120, '01'],
      [3, 1120, '01'],
    ]);
  });

  await test.step('the same picture again creates nothing', async () => {
    const again = await draw(page, { date: dayAgo(4), counter: 1 });
    await page.locator('input[type=file]').setInputFiles([{ name: 'again.png', mimeType: 'image/png', buffer: again }]);
    await expect(page.getByText('1 picture had been sent before and made nothing new.')).toBeVisible();
  });

  await test.step('each is reviewed by keyboard: Enter visits doubtful fields, Ctrl+Enter verifies and opens the next', async () => {
    await page.getByRole('link', { name: 'All Z-readings' }).click();
    await page.getByRole('button', { name: 'Review 3', exact: true }).click();
    await expect(page.getByAltText('The till’s Z-reading')).toBeVisible();
    await expect(page.getByText(/^Slip adds up/)).toBeVisible();
    await expectAccessible(page);
    for (let left = 3; left > 0; left -= 1) {
      const title = await page.getByRole('heading', { level: 1 }).textContent();
      const first = page.getByRole('region', { name: 'Look at these first' });
      if (await first.isVisible()) {
        await expect(first.getByRole('textbox').first()).toBeFocused();
        const doubtful = await first.getByRole('textbox').count();
        for (let n = 0; n < doubtful; n += 1) await page.keyboard.press('Enter');
      }
      await page.keyboard.press('Control+Enter');
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(title ?? '');
    }
    expect((await readings(api, '?state=verified')).total).toBe(3);
  });

  await test.step('what was verified on screen is in the tender report, the monthly report and the file for NetSuite', async () => {
    const [from, to] = [dayAgo(4), dayAgo(2)];
    await page.goto(`${server.url}/sales/tender-report?from=${from}&to=${to}&storeIds=${store.id}`);
    for (const [kind, read] of [
      ['Cash', '620.00'],
      ['Card', '300.00'],
      ['E-wallet', '200.00'],
    ] as const) {
      await expect(page.getByRole('row', { name: new RegExp(kind) }).filter({ hasText: read })).toHaveCount(3);
    }
    await page.goto(`${server.url}/sales/cmsr?store=${store.id}&month=${to.slice(0, 7)}`);
    await expect(page.getByRole('row').filter({ has: page.getByRole('button', { name: written(to) }) })).toContainText('1,120.00');
    await page.goto(`${server.url}/sales/netsuite/store-sales-import?from=${from}&to=${to}`);
    await page.getByRole('button', { name: 'Export what is ready' }).click();
    const drawer = page.getByRole('dialog', { name: 'Files and results' });
    await expect(drawer.getByText('3 days exported as 1 file')).toBeVisible();
    const coming = page.waitForEvent('download');
    await drawer.getByRole('link', { name: /netsuite-cash-sale/ }).first().click();
    const text = readFileSync(await (await coming).path(), 'utf8');
    for (const day of [4, 3, 2].map(dayAgo)) expect(text).toContain(`CS-CUB-${day.replaceAll('-', '')}`);
    expect(text).toContain('VATable sales,1,1000,1000,VAT_PH:S-PH,120,1120');
    await drawer.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('a figure that does not agree shows both sides, and needs a reason to be verified', async () => {
    const [last] = (await readings(api)).items;
    await page.goto(`${server.url}/sales/z-reading/${last?.id}`);
    await page.getByRole('button', { name: 'More steps' }).click();
    await page.getByRole('menuitem', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Reopen', exact: true }).click();
    await page.getByLabel('Net sales').fill('1121.00');
    await expect(page.getByText(/Net ₱1,121.00 ≠ Gross less deductions ₱1,120.00/)).toBeVisible();
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Some sums do not agree' });
    await expect(dialog).toContainText('Net sales are ₱1,121.00');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Correct the figures' }).click();
    await page.getByLabel('Net sales').fill('1120.00');
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await readings(api, '?state=verified')).total).toBe(3);
  });

  await test.step('the chain shows the counters; the calendar shows the days', async () => {
    await page.goto(`${server.url}/sales/z-reading?view=chain&storeId=${store.id}&terminalId=01`);
    await expect(page.getByRole('list', { name: 'Counters in their order' }).getByRole('link')).toHaveCount(3);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Calendar' }).click();
    await expect(page.getByRole('link', { name: /1 verified/ })).toHaveCount(3);
    await expectAccessible(page);
  });

  await test.step('the till’s terms are set, and a label is taught on its last picture', async () => {
    await page.getByRole('link', { name: 'Tills', exact: true }).click();
    await page.getByText('Cubao', { exact: true }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Cubao, till 01' });
    await drawer.getByLabel('PTU').fill('FP052026-047');
    await expect(drawer.getByRole('button', { name: /^Line: Net Sales/ })).toBeVisible();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: /^Line: Net Sales/ }).click();
    await drawer.getByRole('combobox', { name: 'That is' }).click();
    await page.getByRole('option', { name: 'Net sales', exact: true }).click();
    await drawer.getByRole('button', { name: /^Keep «Net Sales»/ }).click();
    await expect(drawer.getByRole('list', { name: 'Taught words' })).toContainText('«Net Sales» is Net sales');
    await drawer.getByLabel('PTU').fill('FP052026-047');
    await drawer.getByRole('button', { name: 'Save till' }).click();
    await expect(drawer).toHaveCount(0);
    await page.getByText('Cubao', { exact: true }).first().click();
    await expect(drawer.getByLabel('PTU')).toHaveValue('FP052026-047');
    await drawer.getByRole('button', { name: 'Forget «Net Sales»' }).click();
    await expect(drawer.getByText(/The usual words are looked for/)).toBeVisible();
  });
  // Verifying figures that do not agree was refused on purpose.
  expect(complaints.splice(0).filter((said) => !/409|422/.test(said))).toEqual([]);
});
