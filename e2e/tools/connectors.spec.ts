// Connectors in the browser: an API connected by clicking values of its response, run, posted; entries put aside,
// retried; and the server's operations, tried from a form.

import { createServer, type Server as Http } from 'node:http';
import type { AddressInfo } from 'node:net';
import { browserOf } from '../support/people.ts';
import { admin, Server } from '../support/server.ts';
import { Api, expect, expectAccessible, test } from '../support/test.ts';

const PAGE = '/tools/services/get-sales-api';

let server: Server;
let pos: Http;
let good = false;

test.beforeAll(async () => {
  server = await Server.start({ LARDER_OUTGOING_ALLOW: '127.0.0.1' });
  pos = createServer((request, answer) => {
    const day = new URL(request.url ?? '', 'http://x').searchParams.get('date');
    const line = (at: number) => ({
      id: `${day}-${at}`,
      branch: at === 2 && !good ? 'Nord' : 'North',
      product: 'Rice',
      qty: at,
      amount: 10 * at,
    });
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify({ data: [line(1), line(2), line(3)] }));
  });
  await new Promise<void>((done) => pos.listen(0, '127.0.0.1', done));
});
test.afterAll(async () => {
  pos?.close();
  await server?.stop();
});

test('an API is connected by clicking, run, and an entry put aside is retried later', async ({ browser }) => {
  test.setTimeout(180_000);
  const { context, page } = await browserOf(browser, server.url);
  const api = new Api(context.request, server.url);
  await api.signIn(admin.email, admin.password);
  await api.call('POST', '/api/stores/locations', { name: 'North', code: 'N' });
  await api.call('POST', '/api/lists/pos-items', { description: 'Rice' });
  const drawer = page.getByRole('dialog').first();

  await test.step('its response is fetched and its values are clicked', async () => {
    await page.goto(server.url + PAGE);
    await page.getByRole('button', { name: 'New API connector' }).click();
    const name = drawer.getByRole('textbox', { name: /^Name/ });
    const lacking = drawer.getByRole('button', { name: /^To save it, check: / });
    await expect(lacking).toHaveText('To save it, check: Name, Address, Date, Store, Item, Quantity');
    await drawer.getByRole('button', { name: 'Save API connector' }).click();
    await expect(name).toBeFocused();
    await expect(drawer.getByText('Choose what holds the item.')).toBeVisible();
    await drawer.getByRole('button', { name: 'Try it' }).click();
    await expect(drawer.getByLabel('Address')).toBeFocused();
    await name.fill('Tills');
    const { port } = pos.address() as AddressInfo;
    await drawer.getByLabel('Address').fill(`http://127.0.0.1:${port}/sales?date={date}`);
    await drawer.getByRole('button', { name: 'Try it' }).click();
    // The answer has room for at least ten values.
    const tree = drawer.getByRole('list', { name: 'The answer' });
    await expect.poll(async () => (await tree.boundingBox())?.height).toBeGreaterThan(260);
    await drawer.getByRole('button', { name: /^id: / }).first().click();
    await expect(page.getByRole('menuitem', { name: 'Number of records' })).toHaveCount(0);
    await page.getByRole('menuitem', { name: 'Tells records apart' }).click();
    await drawer.getByRole('button', { name: /^branch: / }).first().click();
    await page.getByRole('menuitem', { name: 'Store', exact: true }).click();
    await drawer.getByRole('button', { name: /^product: / }).first().click();
    await page.getByRole('menuitem', { name: 'Item', exact: true }).click();
    await drawer.getByRole('button', { name: /^qty: / }).first().click();
    await page.getByRole('menuitem', { name: 'Quantity' }).click();
    await drawer.getByRole('button', { name: /^amount: / }).first().click();
    await page.getByRole('menuitem', { name: 'Net amount' }).click();
    await drawer.getByRole('button', { name: 'Try it' }).click();
    await expect(drawer.getByText('The first 3 of 3 lines')).toBeVisible();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Monday to Friday' }).click();
    await drawer.getByRole('button', { name: 'Sat', exact: true }).click();
    await expect(lacking).toHaveCount(0);
    await drawer.getByRole('button', { name: 'Save API connector' }).click();
    await expect(page.getByText('API connector saved')).toBeVisible();
    await expect(page.getByText(/Mon, Tue, Wed, Thu, Fri, Sat at 03:00/)).toBeVisible();
  });

  await test.step('it runs, and an unknown store is put aside', async () => {
    await drawer.getByRole('button', { name: 'Runs' }).click();
    await drawer.getByRole('button', { name: 'Run now' }).click();
    await expect(drawer.getByText('Partly')).toBeVisible({ timeout: 60_000 });
    await drawer.getByRole('button', { name: /^Put aside/ }).click();
    await expect(drawer.getByText(/The store «Nord» is not known/).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the server is fixed, and the entry is retried', async () => {
    good = true;
    const again = drawer.getByRole('button', { name: /^Try again: / });
    const before = await again.count();
    await again.first().click();
    await expect(again).toHaveCount(before - 1, { timeout: 60_000 });
  });
  await context.close();
});

test('an operation is tried with the user’s own permissions', async ({ browser }) => {
  test.setTimeout(120_000);
  const { context, page } = await browserOf(browser, server.url);
  const api = new Api(context.request, server.url);
  await api.signIn(admin.email, admin.password);
  await page.goto(`${server.url}/tools/test-api`);
  await page.getByLabel('Search operations').fill('get /api/lists/uoms');
  await page.getByRole('button', { name: /GET\s*\/api\/lists\/uoms$/ }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('status').getByText('200')).toBeVisible();
  await page.getByLabel('Search operations').fill('post /api/lists/uoms');
  await page.getByRole('button', { name: /POST\s*\/api\/lists\/uoms$/ }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('dialog')).toContainText('This changes what is stored');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expectAccessible(page);
  await context.close();
});
