// The demo group: what a newcomer sees first, and what a person with few rights does not see.

import { admit } from './support/people.ts';
import { Server } from './support/server.ts';
import { expect, expectAccessible, test } from './support/test.ts';
import { open } from './support/walk.ts';

// As in a real browser: the worker that lets the console start without a network is there.
test.use({ serviceWorkers: 'allow' });

test.describe.serial('the demo', () => {
  let server: Server | undefined;
  const url = () => server?.url ?? '';
  test.beforeAll(async () => {
    test.setTimeout(180_000);
    server = await Server.startWithDemo();
  });
  test.afterAll(async () => server?.stop());

  test('leaves no screen bare', async ({ page, complaints }) => {
    test.setTimeout(300_000);
    await admit(page.context(), url(), 'admin@larder.example', 'pandesal-at-sunrise');
    for (const [path, text] of [
      ['/lists', 'All lists'],
      ['/lists/root-items', 'Adobo sauce base (L)'],
      ['/lists/pos-items', 'Adobo Rice Bowl'],
      ['/lists/categories', 'Categories'],
      ['/products', 'Adobo sauce base, 4 L tub'],
      ['/lists/recipes', 'Adobo sauce base, kettle of 20 L'],
      ['/your-company/chart-of-accounts', 'Petty cash, head office'],
      ['/tools/import-data', 'What do you want to import?'],
      ['/stores/locations', 'Makati Legazpi'],
      ['/stores/inventory', 'Chicken wings'],
      ['/stores/inventory?view=counts', 'Chicken wings'],
      ['/stores/inventory?print=sheet', 'Chicken wings'],
      ['/stores/count', 'Chicken wings'],
      ['/tools/import-sales-product', 'Makati Legazpi'],
      ['/tools/import-sales-product/records', 'Posted'],
      ['/tools/import-sales-product/terminal-summary', 'Makati Legazpi'],
      ['/reports/weekly-root-item-sales', 'Egg, large (pc)'],
      ['/reports/product-sales-by-store', 'Makati Legazpi'],
      ['/reports/sales-by-root-items', 'Egg, large (pc)'],
      ['/reports/count-compliance', 'Makati Legazpi'],
      ['/reports/count-variance', 'Makati Legazpi'],
      ['/reports/count-people', 'Ana Dela Cruz'],
    ] as const) {
      await open(page, url(), path);
      await expect(page.getByText(text).first(), path).toBeVisible();
      await expectAccessible(page);
    }
    expect(complaints).toEqual([]);
  });

  test('is readable and clean on a phone', async ({ page }) => {
    test.setTimeout(300_000);
    await admit(page.context(), url(), 'admin@larder.example', 'pandesal-at-sunrise');
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of [
      '/',
      '/lists',
      '/lists/root-items',
      '/products',
      '/your-company/chart-of-accounts',
      '/stores/locations',
      '/stores/inventory',
      '/stores/inventory?view=counts',
      '/tools/import-sales-product',
      '/reports/standard',
      '/reports/weekly-root-item-sales',
      '/reports/product-sales-by-store',
      '/reports/sales-by-root-items',
      '/reports/count-compliance',
      '/reports/count-variance',
    ]) {
      await open(page, url(), path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, `${path} sticks out sideways`).toBeLessThanOrEqual(0);
    }
  });

  test('refuses a page to a person without its right', async ({ page }) => {
    await admit(page.context(), url(), 'commissary@larder.example', 'adobo-simmers-slowly');
    await page.goto(`${url()}/tools/import-sales-product`);
    await expect(page.getByRole('heading', { name: 'Not Authorized' })).toBeVisible();
    await expect(page.getByText("You don't have access to this page.")).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${url()}/lists`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    const answered = page.waitForResponse((answer) => answer.url().includes('/api/search'));
    await page.getByPlaceholder('Search or jump to…').fill('import sales');
    await answered;
    await expect(page.getByRole('option', { name: /^Import sales/ })).toHaveCount(0);
  });

  test('keeps a store manager to the stores of that person', async ({ page }) => {
    const api = await admit(page.context(), url(), 'store.manager@larder.example', 'halo-halo-extra-ube');
    const me = await api.call<{ user: { storeIds: string[] } }>('GET', '/api/me');
    expect(me.user.storeIds).toHaveLength(2);
    const stores = await api.call<{ total: number }>('GET', '/api/stores/locations');
    expect(stores.total).toBe(2);
  });
});
