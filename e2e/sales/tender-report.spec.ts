// Cash from the drawer to the bank: declared offline on a phone, deposited and reconciled at the office.

import { addDays, today } from '../../web/src/ui/dates.ts';
import { whole } from '../support/browser.ts';
import { readyForOffline } from '../support/counts.ts';
import { admit, browserOf, makePerson, makeRole } from '../support/people.ts';
import { admin, Server } from '../support/server.ts';
import { expect, expectAccessible, test } from '../support/test.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow', launchOptions: whole });

interface Report {
  items: { kind: string; declared?: number | null; deposited?: number | null; settled?: number | null }[];
}

// Fixed when the file is loaded: its days stay the same past midnight.
const start = today();
const tooFarBack = addDays(start, -40);

test('cash is declared offline once, then deposited, and a settlement file is matched', async ({ browser }) => {
  const server = await Server.start();
  const office = await browser.newContext({ baseURL: server.url });
  const api = await admit(office, server.url, admin.email, admin.password);
  const store = await api.call<{ id: string }>('POST', '/api/stores/locations', { name: 'Cubao', code: 'CUB', posCode: 'CUB' });
  const role = await makeRole(api, {
    apps: { branchOps: { view: true } },
    sales: { tenderReport: { view: true, edit: true } },
  });
  const person = await makePerson(api, 'Dina', role.id);
  const { context, page } = await browserOf(browser, server.url);
  await page.setViewportSize({ width: 390, height: 844 });
  await admit(context, server.url, person.email);
  const asked = `/api/sales/tender-report?from=${start}&to=${start}`;

  await test.step('the drawer is counted offline, and survives a reload', async () => {
    await page.goto('/branch-ops');
    await page.getByRole('link', { name: /^Cash/ }).click();
    await expect(page.getByRole('heading', { name: 'Cash declaration' })).toBeVisible();
    await readyForOffline(page);
    await server.kill();
    await context.setOffline(true);
    await page.getByLabel('₱1,000', { exact: true }).fill('3');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('₱500', { exact: true })).toBeFocused();
    await page.getByLabel('25¢', { exact: true }).fill('2');
    await page.getByLabel('Cards').fill('500');
    await page.reload();
    await expect(page.getByLabel('₱1,000', { exact: true })).toHaveValue('3');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Declare ₱3,000.50' }).click();
    await expect(page.getByText(/Waiting to be sent/)).toBeVisible();
  });

  await test.step('it arrives once when the network is back', async () => {
    await server.serve();
    await context.setOffline(false);
    await expect(page.getByText('Declared', { exact: true })).toBeVisible({ timeout: 45_000 });
    await page.reload();
    const report = await api.call<Report>('GET', asked);
    expect(report.items.find(({ kind }) => kind === 'cash')?.declared).toBe(3000.5);
    expect(report.items.find(({ kind }) => kind === 'card')?.declared).toBe(500);
  });

  const desk = await office.newPage();
  await test.step('the office sees what is missing, and enters the deposit slip', async () => {
    await desk.goto('/sales/tender-report');
    await expect(desk.getByText('₱3,000.50 of cash is not in the bank.')).toBeVisible();
    await expect(desk.getByRole('row', { name: /Cubao.*Cash.*Pending/ })).toBeVisible();
    await desk.getByRole('row', { name: /Cubao.*Cash.*3,000\.50/ }).getByText('Cubao').click();
    await expect(desk.getByText('Declared – deposited: ₱3,000.50 and nothing')).toBeVisible();
    await desk.getByRole('button', { name: 'Enter a deposit' }).click();
    const drawer = desk.getByRole('dialog', { name: 'Deposit, Cubao' });
    await expect(drawer.getByLabel('Amount')).toHaveValue('3,000.50');
    await drawer.getByRole('button', { name: 'Save deposit' }).click();
    await expect(drawer.getByText('Say which bank.')).toBeVisible();
    await drawer.getByLabel('Bank').fill('BPI');
    await expectAccessible(desk);
    await drawer.getByRole('button', { name: 'Save deposit' }).click();
    await expect(desk.getByText('₱3,000.50 of cash is not in the bank.')).toHaveCount(0);
  });

  const openDeposit = async () => {
    await desk.goto('/sales/tender-report');
    await desk.getByRole('row', { name: /Cubao.*Cash.*3,000\.50/ }).getByText('Cubao').click();
    await desk.getByRole('button', { name: 'Enter a deposit' }).click();
    const drawer = desk.getByRole('dialog', { name: 'Deposit, Cubao' });
    await drawer.getByLabel('Bank').fill('BPI');
    return drawer;
  };

  await test.step('a similar deposit is asked about, and the answer applies to it alone', async () => {
    const drawer = await openDeposit();
    const save = drawer.getByRole('button', { name: 'Save deposit' });
    const another = drawer.getByRole('button', { name: 'Save as another deposit' });
    await drawer.getByLabel('Amount').fill('3,000.50');
    await save.click();
    await expect(drawer.getByRole('alert')).toContainText('Is this another one?');
    await expectAccessible(desk);
    await drawer.getByLabel('Bank').fill('BDO');
    await expect(another).toHaveCount(0);
    await drawer.getByLabel('Bank').fill('BPI');
    await save.click();
    await another.click();
    await expect(drawer).toHaveCount(0);
    const report = await api.call<Report>('GET', asked);
    expect(report.items.find(({ kind }) => kind === 'cash')?.deposited).toBe(6001);
  });

  await test.step('a deposit dated too far back is refused at its day, and accepted with a reason', async () => {
    const drawer = await openDeposit();
    const save = drawer.getByRole('button', { name: 'Save deposit' });
    await drawer.getByLabel('Paid in on', { exact: true }).fill(tooFarBack);
    await drawer.getByLabel('Cash of', { exact: true }).fill(tooFarBack);
    await drawer.getByLabel('Amount').fill('500');
    await save.click();
    await expect(drawer.getByText(/^Days before .* need a reason\. Choose a later day, or say why\.$/)).toBeVisible();
    await expectAccessible(desk);
    await drawer.getByLabel('Why so far back').fill('The slip was found late');
    await save.click();
    await expect(drawer).toHaveCount(0);
    const { deposits } = await api.call<{ deposits: { amount: number }[] }>(
      'GET',
      `/api/sales/tender-report/sources?storeId=${store.id}&date=${tooFarBack}&kind=cash`,
    );
    expect(deposits.map(({ amount }) => amount)).toEqual([500]);
  });

  await test.step('a settlement file is mapped, imported, and its unknown terminal assigned to the store', async () => {
    await desk.goto('/sales/tender-report');
    await desk.getByRole('button', { name: 'Settlement file' }).click();
    const drawer = desk.getByRole('dialog', { name: 'Settlement file' });
    const rows = ['Transaction Date,TID,Gross Amount,MDR,Net Amount', `${start},778899,500.00,12.50,487.50`];
    await drawer.locator('input[type=file]').setInputFiles({
      name: 'bpi.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows.join('\n')),
    });
    await expect(drawer.getByRole('cell', { name: '778899' })).toBeVisible();
    await expectAccessible(desk);
    await drawer.getByRole('button', { name: 'Take 1 row' }).click();
    await expect(drawer.getByText('1 new line, 1 of unknown terminals.')).toBeVisible();
    await drawer.getByLabel('Store of 778899').click();
    await desk.getByRole('option', { name: 'Cubao' }).click();
    await expect(drawer.getByRole('heading', { name: 'Unknown terminals' })).toHaveCount(0);
    const report = await api.call<Report>('GET', asked);
    expect(report.items.find(({ kind }) => kind === 'card')?.settled).toBe(500);
  });
  await context.close();
  await office.close();
  await server.stop();
});
