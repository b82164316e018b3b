// Every built page, found in paths.ts and visited with the demo's data: a new page is swept without code here, unless
// it shows one record (`records`) or has views by its query (`views`).

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { outsideShell, type PageKey, pages, reportTabs } from '../web/src/paths.ts';
import { cutTables, cutWords, DESK, expectFine, PHONE } from './support/looks.ts';
import { admit, browserOf, makePerson, makeRole } from './support/people.ts';
import { Server } from './support/server.ts';
import { Api, expect, test } from './support/test.ts';
import { Pending, walkTo } from './support/walk.ts';

interface Spec {
  path: string;
  can?: string;
  built?: boolean;
}

const built = (Object.entries(pages) as [PageKey, Spec][]).filter(([, { built }]) => built);

/** Values for the path parameters that name a record. */
const records: Partial<Record<PageKey, (api: Api) => Promise<Record<string, string>>>> = {
  product: first('/api/products'),
  listCompany: first('/api/lists/companies'),
  storesLocation: first('/api/stores/locations'),
  storesOrder: first('/api/stores/orders?status=draft'),
  storesReceipt: first('/api/stores/receive?status=posted'),
  storesTransfer: first('/api/stores/transfers'),
  storesWasteReport: first('/api/stores/waste'),
  salesZReadingOne: first('/api/sales/z-reading?state=needsReview'),
  commissaryBatch: first('/api/commissary/production'),
  // The demo has no supplier returns: create a draft.
  commissarySupplierReturn: async (api) => {
    const one = async (path: string) => (await api.call<{ items: { id: string }[] }>('GET', `${path}?pageSize=1`)).items[0]?.id;
    const [placeId, supplierId, productId] = await Promise.all(
      ['/api/stores/locations', '/api/lists/suppliers', '/api/products'].map(one),
    );
    const lines = [{ productId, qty: 1, reason: 'quality' }];
    const draft = { placeKind: 'store', placeId, supplierId, lines };
    const { id } = await api.call<{ id: string }>('POST', '/api/commissary/supplier-returns', draft);
    return { id };
  },
  // The demo counts no kitchen.
  commissaryStockTake: async (api) => {
    const page = await api.call<{ items: { id: string }[] }>('GET', '/api/lists/commissaries?pageSize=1');
    const draft = { placeKind: 'commissary', placeId: page.items[0]?.id };
    const take = await api.call<{ id: string; revision: number }>('POST', '/api/commissary/stock-takes', draft);
    const { id } = await api.call<{ id: string }>('POST', `/api/commissary/stock-takes/${take.id}/start`, {
      revision: take.revision,
    });
    return { id };
  },
  commissaryDeliveryOne: first('/api/commissary/deliveries?status=picking'),
  stockLot: async (api) => {
    const { items } = await api.call<{ items: { lot: string }[] }>('GET', '/api/stock/lots?recalled=true&pageSize=1');
    return { lot: items[0]?.lot ?? '' };
  },
  toolsImportSalesDay: async (api) => {
    const found = await api.call<{ items: { summary?: { lastDay?: string } }[] }>('GET', '/api/tools/import-sales-product/batches');
    const last = found.items.map(({ summary }) => summary?.lastDay ?? '').sort().at(-1) ?? '';
    const { stores } = await api.call<{ stores: { id: string; cells: { state: string }[] }[] }>(
      'GET',
      `/api/tools/import-sales-product/coverage?from=${last}&to=${last}`,
    );
    const [year = '', month = '', day = ''] = last.split('-');
    return { storeId: stores.find(({ cells }) => cells[0]?.state !== 'none')?.id ?? '', year, month, day };
  },
  reportCustomOne: first('/api/reports/custom'),
  reports: async () => ({ tab: reportTabs[0] }),
  usersTab: async () => ({ tab: 'roles' }),
};

function first(path: string) {
  return async (api: Api) => {
    const { items } = await api.call<{ items: { id: string }[] }>('GET', path);
    return { id: items[0]?.id ?? '' };
  };
}

/** Further views of a page: other path segments, or its query. */
const views: Partial<Record<PageKey, readonly string[]>> = {
  product: ['units', 'root-items', 'prices', 'stock', 'movements', 'uses', 'history'].map((tab) => `?tab=${tab}`),
  listStoreInventoryItems: ['?view=visibility', '?view=mixes'],
  storesLocations: ['?view=deliveries'],
  storesInventory: ['?view=counts', '?print=sheet'],
  commissaryDeliveries: ['?tab=in-transit'],
  commissaryOrders: ['?tab=pick', '?tab=make', '?tab=deliveries', '?tab=short'],
  dashboardWaiting: ['?of=papers', '?of=forecastMisses'],
  commissaryProduction: ['?open=new'],
  commissarySupplierReturns: ['?open=new'],
  commissaryStockTakes: ['?open=new'],
  storesReceipt: ['/stores/receive/new'],
  salesZReading: ['?view=calendar', '?view=chain'],
  salesZReadingOne: ['/sales/z-reading/new'],
  storesTransactions: ['?tab=transfers', '?tab=waste', '?tab=stock', '/stores/transactions/transfers/new', '/stores/transactions/waste/new'],
  toolsImportData: ['?list=products', '?tab=history'],
  reports: reportTabs.slice(1).map((tab) => `/reports/${tab}`),
  usersTab: ['applications', 'sessions', 'activity'].map((tab) => `/users/${tab}`),
};

/** Empty states a page may show with the demo's data; any other empty state is a fault. */
const bare: Readonly<Record<string, string>> = {
  // They ask for a choice first.
  '/stores/transactions?tab=stock': 'Choose a counted item',
  '/tools/test-api': 'Choose an operation',
  // The demo's kitchen has finished the day.
  '/commissary/orders?tab=pick': 'Nothing to pick',
  '/commissary/orders?tab=make': 'Nothing to make',
  '/commissary/orders?tab=short': 'Nothing is short',
  '/dashboard/main/waiting': 'Nothing is waiting',
  '/dashboard/main/waiting?of=forecastMisses': 'Nothing is waiting',
  '/commissary/supplier-returns': 'Nothing sent back yet',
  '/commissary/supplier-returns?open=new': 'Nothing sent back yet',
  '/lists/root-items/proposed': 'No price is proposed',
  '/commissary/stock-takes': 'No stock-takes yet',
  '/commissary/stock-takes?open=new': 'No stock-takes yet',
  // Unused in the demo; their own tests show them with data.
  '/tools/import-sales-product/root-item-qty': 'No quantities yet',
  '/tools/import-sales-product/ingest': 'No key yet',
  '/tools/import-data?tab=history': 'No imports yet',
  '/tools/services/moving-average': 'Never run yet',
  '/tools/services/w3p-root-item-moving-average': 'Never run yet',
  '/tools/services/monthly-forecast': 'Never run yet',
  '/tools/services/weekly-forecast': 'Never run yet',
  '/tools/services/replay': 'Nothing was replayed yet',
  '/tools/services/overrides': 'No overrides in force',
};

/** The shortest page, a form of three fields, has more characters than this. */
const FEWEST_WORDS = 60;

/** Demo content of a page, to check that it shows the right data. */
const shown: Partial<Record<PageKey, string>> = {
  listRootItems: 'Adobo sauce base (L)',
  listPosItems: 'Adobo Rice Bowl',
  products: 'Adobo sauce base, 4 L tub',
  listRecipes: 'Adobo sauce base, kettle of 20 L',
  chartOfAccounts: 'Petty cash, head office',
  storesLocations: 'Makati Legazpi',
  storesInventory: 'Chicken wings',
  storesCount: 'Chicken wings',
  storesOrders: 'Makati Legazpi',
  storesReceive: 'Makati Legazpi',
  reportCustomOne: 'Makati Legazpi',
  stockLots: 'Ensaymada, tray of 10',
  commissaryDeliveries: 'Makati Legazpi',
  salesZReading: 'Makati Legazpi',
  toolsImportSales: 'Makati Legazpi',
  toolsImportSalesRecords: 'Posted',
  toolsImportSalesTerminals: 'Makati Legazpi',
  reportWeeklyRootItemSales: 'Jasmine rice, uncooked (kg)',
  reportProductSalesByStore: 'Makati Legazpi',
  reportSalesByRootItems: 'Jasmine rice, uncooked (kg)',
  reportCountCompliance: 'Makati Legazpi',
  reportCountVariance: 'Makati Legazpi',
  reportCountPeople: 'Ana Dela Cruz',
};

/** Pages with a column for each day or week, which scroll sideways. */
const WIDE: readonly PageKey[] = [
  'storesInventory',
  'toolsImportSalesTerminals',
  'reportSmbcd',
  'reportCountCompliance',
  'reportSalesTerminal',
  'reportWeeklyRootItemSales',
];

/** Screens with their own frames. */
const APPS = [outsideShell.home, outsideShell.branchOps, outsideShell.storeCount];

const ASIDE = pages.lists.path;
const admin = ['admin@larder.example', 'pandesal-at-sunrise'] as const;

let demo: Server;
const url = () => demo.url;

test.beforeAll(async () => {
  demo = await Server.startWithDemo();
});
test.afterAll(() => demo?.stop());

/** The URL of a page, with a demo record where it needs one. */
async function addressOf(api: Api, key: PageKey, path: string): Promise<string> {
  if (!path.includes(':')) return path;
  const values = await records[key]?.(api);
  const address = path.replace(/:(\w+)/g, (_, name: string) => values?.[name] ?? '');
  expect(address, `${path} needs a record: say in \`records\` where it is found`).not.toMatch(/\/(\/|$)/);
  return address;
}

/** Navigates to a page by way of another, so that no content of the previous one is mistaken for it. */
async function visit(page: Page, pending: Pending, address: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 });
  await walkTo(page, ASIDE);
  await expect(heading).toHaveText(pages.lists.label);
  await walkTo(page, address);
  if (address !== ASIDE) await expect(heading.filter({ hasNotText: pages.lists.label }).first(), address).toBeVisible();
  await expect(page.locator('[class*=mantine-Skeleton]'), address).toHaveCount(0);
  await pending.none();
}

for (const [what, size] of [
  ['a desk', DESK],
  ['a phone', PHONE],
] as const) {
  test(`every page of the demo is readable, clean and not empty on ${what}, in light and dark`, async ({ page, complaints }) => {
    test.setTimeout(900_000);
    expect(built.length).toBeGreaterThan(35);
    const pending = new Pending(page);
    const api = await admit(page.context(), url(), ...admin);
    await page.setViewportSize(size);
    for (const address of APPS) {
      await test.step(address, async () => {
        await page.goto(url() + address);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('[class*=mantine-Skeleton]'), address).toHaveCount(0);
        await pending.none();
        await expectFine(page, address);
      });
    }
    await page.goto(url() + ASIDE);
    for (const [key, { path }] of built) {
      const address = await addressOf(api, key, path);
      for (const view of ['', ...(views[key] ?? [])]) {
        const at = view.startsWith('/') ? view : address + view;
        await test.step(at, async () => {
          await visit(page, pending, at);
          await expect(page.getByText('Not Authorized'), at).toHaveCount(0);
          const empty = page.locator('main [data-empty] :is(h1, h2)').filter({ visible: true });
          expect([[], [bare[at]]], `${at} is bare`).toContainEqual(await empty.allTextContents());
          expect((await page.locator('main').innerText()).length, at).toBeGreaterThan(FEWEST_WORDS);
          const words = shown[key];
          if (words && !view) {
            const expected = page.getByText(words);
            // A phone renders fewer rows of a long table, or only a chart; their content is checked on the desktop.
            const drawn = page.getByRole('grid').getByRole('rowheader').or(page.getByRole('figure'));
            const found = size === PHONE ? expected.or(drawn) : expected;
            await expect(found.filter({ visible: true }).first(), at).toBeVisible();
          }
          const wide = size === DESK && !WIDE.includes(key) ? await cutTables(page) : [];
          expect(wide, `columns cut off at ${at}`).toEqual([]);
          expect(size === PHONE ? await cutWords(page) : [], at).toEqual([]);
          await expectFine(page, at);
        });
      }
    }
    expect(complaints).toEqual([]);
  });
}

/** Path parameters that are mistyped, truncated or invented. */
const JUNK = [
  '0',
  '-1',
  'nothing-here',
  '2026-13-45',
  '..%2f..%2fetc',
  '%00',
  '%E0%A4%A',
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '%F0%9F%8D%9A%20%E2%80%AE',
  'x'.repeat(2_000),
] as const;

/** Those also used as values of query parameters. */
const QUERY = ['-1', 'nothing-here', '2026-13-45', '%00', '%E0%A4%A', '%3Cscript%3Ealert(1)%3C%2Fscript%3E'] as const;

/** Every query parameter the console reads. */
function queryNames(): string[] {
  const names = new Set<string>();
  const folder = join(import.meta.dirname, '../web/src');
  for (const file of globSync('**/*.{ts,tsx}', { cwd: folder, exclude: (name) => /\.test\./.test(name) })) {
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(/\.get\('(\w+)'\)/g)) names.add(name ?? '');
  }
  return [...names];
}

test('every invalid URL is answered with a page', async ({ page, complaints }) => {
  test.setTimeout(900_000);
  const names = queryNames();
  expect(names.length).toBeGreaterThan(30);
  const pending = new Pending(page);
  const api = await admit(page.context(), url(), ...admin);
  const wrong: string[] = [];

  const addresses: string[] = [];
  for (const [key, { path }] of built) {
    const good = await addressOf(api, key, path);
    const parts = path.split('/');
    const places = parts.flatMap((part, i) => (part.startsWith(':') ? [i] : []));
    for (const junk of JUNK) {
      // Each part alone, the others valid; and all of them.
      for (const which of [...places.map((i) => [i]), ...(places.length > 1 ? [places] : [])]) {
        addresses.push(good.split('/').map((part, i) => (which.includes(i) ? junk : part)).join('/'));
      }
    }
    for (const junk of QUERY) addresses.push(`${good}?${names.map((name) => `${name}=${junk}`).join('&')}`);
    // Those valid on the page itself lead further in.
    for (const view of views[key] ?? []) {
      if (!view.startsWith('?')) continue;
      const others = names.filter((name) => !view.startsWith(`?${name}=`));
      addresses.push(`${good}${view}&${others.map((name) => `${name}=nothing-here`).join('&')}`);
    }
  }
  const behind = (starts: readonly string[]) =>
    starts.flatMap((start) => QUERY.map((junk) => `${start}?${names.map((name) => `${name}=${junk}`).join('&')}`));
  addresses.push(...behind(APPS));

  const tryOut = async (address: string, aside: string) => {
    const told = address.length > 160 ? `${address.slice(0, 160)}…` : address;
    // The server's response to the URL, and the console's, without a reload.
    const answer = await page.request.get(url() + address, { maxRedirects: 0 });
    if (answer.status() !== 200 || !answer.headers()['content-type']?.startsWith('text/html')) {
      wrong.push(`${told}: the server answers ${answer.status()} ${answer.headers()['content-type']}`);
    }
    await walkTo(page, aside);
    await walkTo(page, address);
    await pending.none();
    const seen = await page.evaluate(() => document.body.innerText.trim());
    if (seen.includes('Unexpected Application Error!')) {
      wrong.push(`${told}: Unexpected Application Error! ${seen.split('\n').at(-1)}`);
      await page.goto(url() + aside);
    }
    if (seen.length < 20) wrong.push(`${told}: a blank page`);
    if (/^[[{]/.test(seen)) wrong.push(`${told}: JSON`);
    // A missing record is reported by the server, and the browser logs every such response.
    for (const said of complaints.splice(0)) {
      if (!/Failed to load resource: the server responded with a status of 4\d\d/.test(said)) wrong.push(`${told}: ${said.slice(0, 300)}`);
    }
  };
  await page.goto(url() + ASIDE);
  for (const address of addresses) await tryOut(address, ASIDE);

  // And for signed-out visitors.
  await page.context().clearCookies();
  await page.goto(url() + outsideShell.home);
  for (const address of behind(Object.values(outsideShell))) await tryOut(address, outsideShell.apply);
  expect(wrong).toEqual([]);
});

test('every guarded page is closed to users without the permission', async ({ browser, page }) => {
  test.slow();
  const api = await admit(page.context(), url(), ...admin);
  const role = await makeRole(api, { apps: { backOffice: { view: true } } });
  const person = await makePerson(api, 'Nina', role.id);
  const { context, page: theirs } = await browserOf(browser, url());
  await admit(context, url(), person.email);
  // Open to all.
  const lobby = built.find(([, { can, path }]) => !can && !path.includes(':'))?.[1].path ?? '';
  // A user who may view nothing else lands there, too.
  await theirs.goto(outsideShell.home);
  await expect(theirs).toHaveURL(lobby);
  const closed = theirs.getByRole('heading', { name: 'Not Authorized' });
  for (const [, { path, can }] of built.filter(([, one]) => one.can)) {
    await walkTo(theirs, path.replace(/:\w+/g, 'none'));
    await expect(closed, `${path} asks for ${can}`).toBeVisible();
    // Out of sight before the next, which could be mistaken for it.
    await walkTo(theirs, lobby);
    await expect(closed).toHaveCount(0);
  }
  await context.close();
});

/** The text of a page's printout, sheet by sheet. */
async function sheetsOf(page: Page): Promise<string[]> {
  const paper = await page.pdf({ preferCSSPageSize: true });
  const words = execFileSync('pdftotext', ['-layout', '-', '-'], { input: paper, encoding: 'utf8' });
  return words.split('\f').slice(0, -1);
}

test('printouts fill their sheets, and tables repeat their header', async ({ page }) => {
  const pending = new Pending(page);
  await admit(page.context(), url(), ...admin);
  for (const [address, title, ...heads] of [
    [pages.listPosItems.path, 'POS items', 'Description', 'Price'],
    [pages.storesOrders.path, 'Orders', 'Needed on', 'Amount'],
    [pages.salesTenderReport.path, 'Tender report', 'Deposited', 'Missing'],
    [pages.reportProductSalesByStore.path, 'Product sales', 'POS item', 'Total'],
    [pages.toolsTransactionInsights.path, 'Transaction insights'],
  ] as const) {
    await page.goto(url() + address);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
    await expect(page.locator('[class*=mantine-Skeleton]'), address).toHaveCount(0);
    await pending.none();
    const sheets = await sheetsOf(page);
    expect(sheets.length, address).toBeGreaterThan(1);
    for (const [i, sheet] of sheets.entries()) {
      expect(sheet, address).toContain(`Page ${i + 1} of ${sheets.length}`);
      expect(sheet.replace(/Page \d+ of \d+/, '').trim(), `${address}, sheet ${i + 1}`).not.toBe('');
    }
    for (const head of heads) expect(sheets[1], address).toContain(head);
  }
});

test('demo users find their own pages, and nothing else', async ({ browser }) => {
  await test.step('a commissary user cannot import sales', async () => {
    const { context, page } = await browserOf(browser, url());
    await admit(context, url(), 'commissary@larder.example', 'adobo-simmers-slowly');
    await page.goto(pages.toolsImportSales.path);
    await expect(page.getByRole('heading', { name: 'Not Authorized' })).toBeVisible();
    await expect(page.getByText("You don't have access to this page.")).toBeVisible();
    await expectFine(page, 'not-authorized');
    await walkTo(page, ASIDE);
    await expect(page.getByRole('heading', { level: 1, name: pages.lists.label })).toBeVisible();
    await page.keyboard.press('Control+k');
    const answered = page.waitForResponse((answer) => answer.url().includes('/api/search'));
    await page.getByPlaceholder('Search or jump to…').fill('import sales');
    await answered;
    await expect(page.getByRole('option', { name: /^Import sales/ })).toHaveCount(0);
    await context.close();
  });

  await test.step('a store manager has two stores', async () => {
    const context = await browser.newContext({ baseURL: url() });
    const api = await admit(context, url(), 'store.manager@larder.example', 'halo-halo-extra-ube');
    const me = await api.call<{ user: { storeIds: string[] } }>('GET', '/api/me');
    expect(me.user.storeIds).toHaveLength(2);
    expect((await api.call<{ total: number }>('GET', '/api/stores/locations')).total).toBe(2);
    await context.close();
  });
});
