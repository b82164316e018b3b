// A month from a lease and verified readings to the lessor's report, and its amendment when a reading changes.

import { expectWhole } from '../support/looks.ts';
import { correctReading, daysOf, putReadings } from '../support/readings.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

test('a month is blocked, certified, printed, submitted and amended', async ({ signedIn: page, api, complaints }) => {
  const store = await api.call<{ id: string }>('POST', '/api/stores/locations', {
    name: 'Bay Promenade',
    code: 'PSY01',
    lessor: 'Baywalk Malls',
    openingDate: '2024-01-01',
  });
  const days = daysOf('2025-02');
  await putReadings(api, store.id, days.slice(1), 1_000);

  await test.step('a lease is entered on the store’s page', async () => {
    await page.goto(`/stores/locations/${store.id}`);
    await page.getByRole('button', { name: 'Add a lease' }).click();
    const drawer = page.getByRole('dialog', { name: 'New lease' });
    await drawer.getByLabel('First day').fill('2025-01-01');
    await drawer.getByLabel('Fixed rent a month').fill('1000');
    await drawer.getByLabel('Percentage of net sales').fill('10');
    await drawer.getByRole('button', { name: 'Something the lessor adds back' }).click();
    await drawer.getByLabel('Added back').fill('Marketing fund');
    await drawer.getByLabel('How much of Marketing fund').fill('500');
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('₱1,000.00 a month and 10% of net sales, whichever is more')).toBeVisible();
  });

  await test.step('a day without a reading blocks it until it is marked closed', async () => {
    await page.goto(`/sales/cmsr?store=${store.id}&month=2025-02`);
    await expect(page.getByText('1 day lacks a verified Z-reading.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Certify', exact: true })).toBeDisabled();
    // A draft says so across the sheet, and no column is cut off.
    await expect(page.getByText('Draft, not certified')).toBeVisible();
    await expectWhole(page);
    await page.getByRole('button', { name: '1 Feb 2025', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: '1 Feb 2025', exact: true });
    await drawer.getByLabel('The store was closed').check();
    await drawer.getByRole('button', { name: 'Save day' }).click();
    await expect(drawer.getByText('Say why.')).toBeVisible();
    await drawer.getByLabel('Why').fill('Inventory day');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save day' }).click();
    await expect(drawer).toHaveCount(0);
    await expect(page.getByText('1 day lacks a verified Z-reading.')).toHaveCount(0);
  });

  await test.step('it is certified by name and position', async () => {
    // 27 days of 1,000 and the marketing fund: 10% of 27,500.
    await expect(page.getByRole('row', { name: /^Rent due \(the percentage is greater\) 2,750\.00$/ })).toBeVisible();
    await page.getByRole('button', { name: 'Certify', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Certify February 2025' });
    await dialog.getByRole('button', { name: 'Certify February 2025' }).click();
    await expect(dialog.getByText('Say as what.')).toBeVisible();
    await dialog.getByLabel('Position').fill('Finance manager');
    await dialog.getByRole('button', { name: 'Certify February 2025' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Submit', exact: true })).toBeVisible();
    // «Why» of a closed day and the position were refused on purpose.
    expect(complaints.splice(0).filter((said) => !said.includes('422'))).toEqual([]);
  });

  await test.step('it is printed as one sheet, with the signature and without the buttons', async () => {
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('Finance manager', { exact: true })).toBeVisible();
    await expect(page.getByText('Draft, not certified')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Certified Monthly Sales Report' })).toBeVisible();
    await page.emulateMedia({ media: null });
    const paper = await page.pdf({ preferCSSPageSize: true });
    expect(paper.subarray(0, 5).toString()).toBe('%PDF-');
    expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });

  await test.step('a reading that changes asks for an amendment', async () => {
    await correctReading(api, store.id, '2025-02-02', 100);
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('Net sales less exempt differ by ₱112.00 on 1 day');
    await page.getByRole('button', { name: 'Amend', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Amend February 2025' });
    await dialog.getByLabel('Why').fill('A reading was corrected');
    await dialog.getByRole('button', { name: 'Amend February 2025' }).click();
    await page.getByRole('button', { name: 'Certify', exact: true }).click();
    await page.getByLabel('Position').fill('Finance manager');
    await page.getByRole('button', { name: 'Certify February 2025' }).click();
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.getByRole('button', { name: 'Submit February 2025' }).click();
    await expect(page.getByRole('button', { name: 'Submit', exact: true })).toHaveCount(0);
    await expect(page.getByText(/Amended .*: A reading was corrected\./)).toBeVisible();
  });

  await test.step('the year shows the progress of each month', async () => {
    await page.getByRole('button', { name: 'Year at a glance' }).click();
    await expect(page.getByRole('link', { name: 'Bay Promenade, February 2025: Submitted' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: /January 2025: .*31 days lack a verified Z-reading\./ }).click();
    await expect(page.locator('b').filter({ hasText: '31 days lack a verified Z-reading.' })).toBeVisible();
  });
});
