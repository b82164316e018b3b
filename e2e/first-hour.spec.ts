// The first hour of a new group: from the link that an empty server prints to the report of its first till file.

import { browserOf } from './support/people.ts';
import { Server } from './support/server.ts';
import { expect, expectAccessible, test } from './support/test.ts';

const FILE = ['Receipt,Date,Time,Product,Quantity,Price'];
for (let row = 0; row < 120; row += 1) {
  const day = String(1 + (row % 20)).padStart(2, '0');
  FILE.push(`${row},2026-10-${day},12:${String(row % 60).padStart(2, '0')},${row % 2 ? 'Rice bowl' : 'Iced tea'},1,100.00`);
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`from the first link to the first report at ${size.width} pixels`, async ({ browser }) => {
    const server = new Server();
    await server.serve();
    const { context, page } = await browserOf(browser, server.url);
    await page.setViewportSize(size);

    await test.step('the first account starts on Home, with the first steps', async () => {
      await page.goto(`/first-start#${server.firstStart}`);
      await page.getByLabel('Name').fill('Maria Santos');
      await page.getByLabel('Email').fill('maria@larder.example');
      await page.getByRole('textbox', { name: 'Password' }).fill('pandesal-at-sunrise');
      await page.getByRole('button', { name: 'Make my account' }).click();
      const steps = page.getByRole('region', { name: 'First steps' });
      await expect(steps).toContainText('0 of 5 done');
      await expectAccessible(page);
      await steps.getByRole('link', { name: 'Import the first till file' }).click();
    });

    await test.step('a till file makes its store and its items', async () => {
      const file = { name: 'till.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE.join('\n')) };
      await page.locator('input[type=file]').first().setInputFiles(file);
      const name = page.getByLabel('The whole file belongs to the new store');
      await name.press('Enter');
      await expect(page.getByText('Enter the name of the store.')).toBeVisible();
      await name.fill('Quiapo');
      await name.press('Enter');
      await expect(page.getByRole('combobox', { name: 'The whole file belongs to' })).toHaveValue('Quiapo');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Check every row' }).click();
      await page.getByRole('button', { name: 'Make all new' }).click();
      await page.getByRole('button', { name: 'Map 2 items' }).click();
      await page.getByRole('button', { name: 'Post sales' }).click();
    });

    await test.step('its weekly report shows POS items, as there are no recipes', async () => {
      await page.getByRole('link', { name: 'Weekly report' }).click();
      await expect(page.getByText('2 POS items · 4 weeks · ₱12,000.00 net')).toBeVisible();
    });

    await test.step('so does the last of the first steps, over the weeks with sales', async () => {
      await page.goto('/dashboard/main');
      const steps = page.getByRole('region', { name: 'First steps' });
      await expect(steps).toContainText('2 of 5 done');
      await steps.getByRole('link', { name: 'Look at the first report' }).click();
      await expect(page.getByText('₱12,000.00 net')).toBeVisible();
      await page.goto('/dashboard/main');
      await expect(steps).toContainText('3 of 5 done');
    });
    await context.close();
    await server.stop();
  });
}

test('the example group is loaded from the screen and thrown away whole', async ({ browser }) => {
  test.setTimeout(300_000);
  const server = new Server();
  await server.serve();
  const { context, page } = await browserOf(browser, server.url);
  await page.goto(`/first-start#${server.firstStart}`);
  await page.getByLabel('Name').fill('Maria Santos');
  await page.getByLabel('Email').fill('maria@larder.example');
  await page.getByRole('textbox', { name: 'Password' }).fill('pandesal-at-sunrise');
  await page.getByRole('button', { name: 'Make my account' }).click();
  const steps = page.getByRole('region', { name: 'First steps' });
  const stores = async () => {
    const answer = await context.request.get(`${server.url}/api/stores/locations`);
    return ((await answer.json()) as { total: number }).total;
  };

  await test.step('it is loaded', async () => {
    await steps.getByRole('button', { name: 'Look at an example group first' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Load the example' }).click();
    await expect(page.getByText('Loading the example group')).toBeVisible();
    const example = page.getByRole('region', { name: 'This is an example group' });
    await expect(example).toBeVisible({ timeout: 240_000 });
    expect(await stores()).toBe(4);
    await expectAccessible(page);
  });

  await test.step('its people cannot sign in by the passwords that everybody knows', async () => {
    const answer = await context.request.post(`${server.url}/v1/accounts:signInWithPassword`, {
      headers: { 'x-larder': '1', origin: server.url, 'sec-fetch-site': 'same-origin' },
      data: { email: 'admin@larder.example', password: 'pandesal-at-sunrise' },
    });
    expect(answer.status()).toBe(400);
  });

  await test.step('it is thrown away, and its user is still signed in', async () => {
    await page.getByRole('button', { name: 'Throw it away' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Throw it away' }).click();
    await expect(steps).toContainText('0 of 5 done', { timeout: 60_000 });
    expect(await stores()).toBe(0);
  });
  await context.close();
  await server.stop();
});
