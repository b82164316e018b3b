// The report builder: built by mouse and by keyboard, saved, shared, emailed, opened by a user with less scope.

import type { Page } from '@playwright/test';
import { Mailbox } from '../support/mail.ts';
import { admit, browserOf, makePerson, makeRole } from '../support/people.ts';
import { admin, Server } from '../support/server.ts';
import { postSales } from '../support/sales.ts';
import { expect, expectAccessible, test as base } from '../support/test.ts';

const FILE = [
  'Date,Store,Item,Quantity,Price',
  '2026-10-05,Quiapo,Rice bowl,40,100.00',
  '2026-10-12,Quiapo,Rice bowl,60,100.00',
  '2026-10-12,Quiapo,Iced tea,40,50.00',
  '2026-10-13,Cubao,Rice bowl,10,100.00',
];
const RANGE = { from: '2026-10-05', to: '2026-10-18' };

const mailbox = new Mailbox();
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern
  server: async ({}, use) => {
    const smtp = await mailbox.start();
    const server = await Server.start({
      LARDER_SMTP_URL: `smtp://${smtp}`,
      LARDER_MAIL_FROM: 'Larder <larder@larder.example>',
    });
    await use(server);
    await server.stop();
    await mailbox.stop();
  },
});

const table = (page: Page) => page.getByRole('region', { name: 'Report' }).getByRole('grid');
const row = (page: Page, name: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) });

/** Adds a field with its box, by keyboard. */
async function addByKeys(page: Page, box: string, field: string): Promise<void> {
  await page.getByRole('combobox', { name: box }).focus();
  await page.keyboard.type(field);
  await expect(page.getByRole('option', { name: field, exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

test('a report is built, saved, shared, emailed, and read by a user with less scope', async ({
  signedIn: page,
  api,
  server,
  browser,
}) => {
  await api.call('POST', '/api/stores/locations', { name: 'Quiapo', code: 'QPO' });
  const cubao = await api.call<{ id: string }>('POST', '/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  for (const [description, category] of [
    ['Rice bowl', 'Meals'],
    ['Iced tea', 'Drinks'],
  ]) {
    await api.call('POST', '/api/lists/pos-items', { description, category });
  }
  await postSales(page, api, 'mix.csv', FILE);

  await test.step('an empty list offers example reports', async () => {
    await page.goto('/reports/custom');
    await expect(page.getByText('No saved reports yet')).toBeVisible();
    await expect(page.getByRole('link', { name: /Sales by store and weekday/ })).toBeVisible();
  });

  await test.step('built by mouse: columns, a second figure, a filter, a chart', async () => {
    await page.getByRole('link', { name: 'New report' }).click();
    await page.getByRole('button', { name: /^Dates:/ }).waitFor();
    const begun = { dataset: 'sales', range: RANGE, rows: ['store'], measures: [{ field: 'net', rule: 'sum' }] };
    await page.goto(`/reports/custom/new?d=${encodeURIComponent(JSON.stringify(begun))}`);
    await expect(row(page, 'Quiapo')).toContainText('12,000.00');
    await expect(row(page, '2 rows')).toContainText('13,000.00');
    await page.getByRole('combobox', { name: 'Add a field to the columns' }).click();
    await page.getByRole('option', { name: 'Week', exact: true }).click();
    await expect(row(page, 'Quiapo')).toContainText('4,000.00');
    await page.getByRole('combobox', { name: 'Add a filter' }).click();
    await page.getByRole('option', { name: 'Category' }).click();
    await page.getByRole('combobox', { name: 'Category is', exact: true }).click();
    await page.getByRole('option', { name: 'Meals' }).click();
    await page.keyboard.press('Escape');
    await expect(row(page, '2 rows')).toContainText('11,000.00');
    await page.getByRole('button', { name: 'Shades' }).click();
    await expect(page.getByRole('figure', { name: 'Net sales ₱' })).toBeVisible();
    await page.getByRole('button', { name: 'Remove Category' }).click();
    await page.getByRole('button', { name: 'Remove Week' }).click();
    await expect(row(page, '2 rows')).toContainText('13,000.00');
  });

  await test.step('built by keyboard: another row field, a figure as a share, an order', async () => {
    await addByKeys(page, 'Add a field to the rows', 'Category');
    await expect(row(page, 'Quiapo').first()).toContainText('Meals');
    await addByKeys(page, 'Add a figure', 'Quantity sold');
    await page.getByRole('combobox', { name: 'How Quantity sold is calculated' }).focus();
    await page.keyboard.press('Enter');
    // The list may open shortly before the keyboard moves from the selection.
    const share = page.getByRole('option', { name: 'Share of the total' });
    await share.waitFor();
    for (let at = 0; at < 8 && (await share.getAttribute('data-combobox-selected')) !== 'true'; at += 1) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect(row(page, 'Cubao')).toContainText('6.7%');
    await page.getByRole('button', { name: 'Move Category up' }).focus();
    await page.keyboard.press('Enter');
    await expect(row(page, 'Drinks')).toContainText('Quiapo');
    await expectAccessible(page);
  });

  await test.step('a link keeps all settings', async () => {
    const address = page.url();
    await page.goto('/reports/standard');
    await page.goto(address);
    await expect(row(page, 'Drinks')).toContainText('26.7%');
  });

  await test.step('a figure drills down to its lines', async () => {
    await row(page, 'Drinks').getByText('2,000.00').click();
    await page.getByRole('dialog').getByRole('link', { name: 'By date' }).click();
    await expect(row(page, '12 Oct 2026')).toContainText('2,000.00');
    await page.goBack();
  });

  await test.step('saved under a name, changed and saved again, deleted and restored', async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Name').fill('Mix by store');
    await page.getByRole('button', { name: 'Save report' }).click();
    await expect(page.getByRole('heading', { name: 'Mix by store', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Lines' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Report saved')).toBeVisible();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('list', { name: 'Saved reports' })).toContainText('Mix by store');
  });

  await test.step('typed, saved and changed without a mouse', async () => {
    await page.goto('/reports/custom/new');
    await page.getByRole('button', { name: /^Dates:/ }).waitFor();
    const box = page.getByRole('textbox', { name: 'Type the report' });
    const type = async (text: string) => {
      await page.keyboard.press('/');
      await expect(box).toBeFocused();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    };
    await type('sales by moon');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Not understood: «sales» (Net sales or Gross sales?), «moon».')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('net sales running total by store across date, 2026-10-05 to 2026-10-18, as lines');
    await page.keyboard.press('Enter');
    await expect(row(page, 'Quiapo')).toContainText('4,000.00');
    await expect(row(page, 'Quiapo').getByText('12,000.00')).toHaveCount(3);
    await expect(box).toHaveValue(/^Sales lines: net sales running total by store across date/);
    await page.keyboard.press('ControlOrMeta+S');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('So far');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'So far', level: 1 })).toBeVisible();
    await expect(dialog).toHaveCount(0);
    // Typed and saved at once.
    await box.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(
      'net sales, share of store by store and pos item, top 1 of each store, 2026-10-05 to 2026-10-18',
    );
    await page.keyboard.press('ControlOrMeta+S');
    await expect(page.getByText('Report saved')).toBeVisible();
    await expect(row(page, 'Quiapo').first()).toContainText('83.3%');
    await expect(row(page, 'Quiapo').nth(1)).toContainText('Other (1)');
    await page.reload();
    await expect(row(page, 'Quiapo').first()).toContainText('10,000.00');
    await page.goto('/reports/custom');
    await expect(page.getByRole('link', { name: /So far/ })).toBeVisible();
  });

  const role = await makeRole(api, { reports: { reports: { view: true } } } as never);
  const person = await makePerson(api, 'Berto', role.id);
  await api.call('PATCH', `/api/users/${person.id}`, { revision: person.revision, storeIds: [cubao.id] });

  await test.step('shared with a role', async () => {
    await page.reload();
    await page.getByRole('link', { name: /Mix by store/ }).click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Roles' }).click();
    await page.getByRole('option').first().click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Save sharing' }).click();
    await expect(page.getByText('Report shared')).toBeVisible();
  });

  await test.step('a test email has the chart and the spreadsheet; a schedule is set', async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Send by mail' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send a test to me' }).click();
    const letter = await mailbox.letterTo(admin.email);
    expect(letter.text).toContain('Mix by store');
    expect(letter.text).toContain('image/png');
    expect(letter.text).toContain('.xlsx');
    await expect(dialog.getByRole('region', { name: 'What was sent' })).toContainText('Sent');
    await dialog.getByRole('combobox', { name: 'To' }).click();
    await page.getByRole('option', { name: /Berto/ }).click();
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save schedule' }).click();
    await expect(page.getByText('Schedule saved')).toBeVisible();
  });

  await test.step('a user with less scope reads their own figures and saves a copy without sharing', async () => {
    const other = await browserOf(browser, server.url);
    await admit(other.context, server.url, person.email);
    await other.page.goto('/reports/custom');
    await other.page.getByRole('link', { name: /Mix by store/ }).click();
    await expect(row(other.page, 'Meals')).toContainText('Cubao');
    await expect(row(other.page, '1 row')).toContainText('1,000.00');
    await expect(other.page.getByText('Made by Ana Cruz.')).toBeVisible();
    await expect(other.page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
    await other.context.close();
  });
});
