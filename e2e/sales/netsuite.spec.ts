// Store-days are exported to NetSuite as files, and its result file is imported.

import { readFileSync } from 'node:fs';
import { expectWhole } from '../support/looks.ts';
import { putReadings } from '../support/readings.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

test('days are exported, and a result file confirms one and fails the other', async ({ signedIn: page, api, complaints }) => {
  const make = (body: object) => api.call<{ id: string }>('POST', '/api/stores/locations', body);
  const store = await make({
    name: 'Makati Legazpi',
    code: 'MKT01',
    posCode: 'MKT01',
    netsuiteCustomerName: 'Walk-in Makati',
    openingDate: '2025-02-01',
  });
  const bare = await make({ name: 'Bare Kiosk', code: 'BK', posCode: 'BK', openingDate: '2025-02-01' });
  await putReadings(api, store.id, ['2025-02-01', '2025-02-02'], 1_000);
  await putReadings(api, bare.id, ['2025-02-01'], 500);
  const range = 'from=2025-02-01&to=2025-02-02';

  await test.step('columns are renamed, with a preview of a day', async () => {
    await page.goto(`/sales/netsuite?${range}`);
    await page.getByRole('button', { name: 'Columns', exact: true }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Columns, Cash Sale' });
    await drawer.getByLabel('Name of column 3').fill('Customer name');
    await expect(drawer.getByRole('columnheader', { name: 'Customer name' })).toBeVisible();
    await expect(drawer.getByRole('cell', { name: 'CS-MKT01-20250202' }).first()).toBeVisible();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save columns' }).click();
    await expect(drawer).toHaveCount(0);
  });

  await test.step('blocked days show the reason, the rest is exported', async () => {
    await page.getByRole('link', { name: 'Store sales import' }).click();
    await page.goto(`/sales/netsuite/store-sales-import?${range}`);
    await expect(page.getByText('Bare Kiosk has no NetSuite customer.').first()).toBeVisible();
    await page.getByRole('button', { name: 'Export what is ready' }).click();
    const drawer = page.getByRole('dialog', { name: 'Files and results' });
    await expect(drawer.getByText('2 days exported as 1 file')).toBeVisible();
    const coming = page.waitForEvent('download');
    await drawer.getByRole('link', { name: 'netsuite-cash-sale-2025-02-01-2025-02-02.csv' }).first().click();
    const text = readFileSync(await (await coming).path(), 'utf8');
    expect(text.split('\r\n')[0]).toContain('External ID,Date,Customer name,');
    expect(text).toContain('CS-MKT01-20250201,02/01/2025,Walk-in Makati');
  });

  await test.step('the result file confirms one and fails the other with its message', async () => {
    const rows = [
      'External ID,Status,Error Message',
      'CS-MKT01-20250201,Success,',
      'CS-MKT01-20250202,Error,Invalid location reference key 118',
    ];
    const drawer = page.getByRole('dialog', { name: 'Files and results' });
    await drawer.locator('input[type=file]').setInputFiles({
      name: 'results.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows.join('\n')),
    });
    await expect(drawer.getByText('1 record confirmed, 1 failed')).toBeVisible();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByText('Invalid location reference key 118').first()).toBeVisible();
    await expectWhole(page);
    await page.getByRole('button', { name: 'Export what is ready' }).click();
    await expect(page.getByText('1 day exported as 1 file')).toBeVisible();
  });

  await test.step('a day that went as a cash sale goes as an invoice once it is withdrawn', async () => {
    await page.goto(`/sales/netsuite?${range}&layout=invoice`);
    const row = page.getByRole('row').filter({ hasText: 'CS-MKT01-20250201' });
    await expect(row.getByText('Elsewhere')).toBeVisible();
    await expect(row.getByText('Withdraw it first.')).toBeVisible();
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw CS-MKT01-20250201' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Withdraw record' }).click();
    await expect(dialog.getByText('Say why.')).toBeVisible();
    await dialog.getByLabel('Why').fill('Booked as an invoice');
    await dialog.getByRole('button', { name: 'Withdraw record' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row).toHaveCount(0);
    await page.getByRole('button', { name: 'Makati Legazpi' }).first().click();
    await expect(page.getByText('Booked as an invoice')).toBeVisible();
  });
  // The expected refusal.
  expect(complaints.splice(0).filter((said) => !said.includes('422'))).toEqual([]);
});
