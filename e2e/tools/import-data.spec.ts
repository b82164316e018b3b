// Importing a list from a file: mapped, previewed, imported, corrected, undone.

import type { Page } from '@playwright/test';
import { browserOf, enter, makePerson, makeRole } from '../support/people.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

const PAGE = '/tools/import-data';
const ROWS = 300;
/** Every 25th row has an invalid reorder point, every 50th no name either. */
const BAD = 12;

function products(text = 'As it comes'): string {
  const rows = ['Item code,Item,Kind of food,Category,Unit,Reorder point,Remarks'];
  for (let i = 1; i <= ROWS; i += 1) {
    const name = i % 50 === 0 ? '' : `Bread ${i}`;
    const reorder = i % 25 === 0 ? 'many' : String(i);
    rows.push([`B-${String(i).padStart(3, '0')}`, name, 'Bakery', 'Breads', 'Piece', reorder, text].join(','));
  }
  return rows.join('\n');
}

async function bring(page: Page, content: string, name = 'products.csv'): Promise<void> {
  await page.goto(`${PAGE}?list=products`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  await expect(page.getByText('What does each column mean?')).toBeVisible();
}

/** Maps a column unknown to the list, by keyboard alone. */
async function describeRemarks(page: Page): Promise<void> {
  const remarks = page.getByRole('combobox', { name: 'Field for Remarks' });
  await expect(remarks).toHaveValue('');
  await remarks.focus();
  await page.keyboard.type('Descr');
  await expect(page.getByRole('option', { name: 'Description' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(remarks).toHaveValue('Description');
}

async function check(page: Page, outcome: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Make new records' }).click();
  await page.getByRole('button', { name: 'Check every row' }).click();
  await expect(page.getByRole('button', { name: outcome })).toBeVisible();
}

const count = async (api: Api) =>
  (await api.call<{ total: number }>('GET', '/api/products?pageSize=1')).total;

test('a file of products is mapped, corrected, changed and undone', async ({ signedIn: page, api }) => {
  test.setTimeout(300_000);
  await test.step('is mapped, checked row by row, and imported without its bad rows', async () => {
    await page.goto(PAGE);
    await expect(page.getByText('What do you want to import?')).toBeVisible();
    await page.getByRole('radio', { name: 'Products' }).click();
    await expect(page).toHaveURL(`${PAGE}?list=products`);
    const template = await page.request.get('/api/tools/import-data/lists/products/template?format=csv');
    expect(await template.text()).toContain('SKU,Name');

    await bring(page, products());
    await describeRemarks(page);
    await expectAccessible(page);
    await check(page, `Import ${ROWS - BAD} products`);
    await expect(page.getByText(/New category: Breads/)).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: `Problems ${BAD}` }).click();
    await expect(page).toHaveURL(/show=failed/);
    await page.reload();
    await expect(page.getByText(/“many” – Enter a number/).first()).toBeVisible();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByText('Row 51 of the file')).toBeVisible();
    await expect(drawer.getByText('Enter the name.')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    expect(await count(api)).toBe(0);
    await page.getByRole('button', { name: `Import ${ROWS - BAD} products` }).click();
    await expect(page.getByText(`${ROWS - BAD} products imported: ${ROWS - BAD} new, ${BAD} problems`)).toBeVisible();
    await expect(page.getByText(`${ROWS - BAD} new. ${BAD} rows with problems are left out.`)).toBeVisible();
    expect(await count(api)).toBe(ROWS - BAD);
    await expectAccessible(page);
  });

  await test.step('exports its bad rows for correction', async () => {
    const [batch] = (await api.call<{ items: { id: string }[] }>('GET', '/api/tools/import-data/batches')).items;
    await page.goto(`${PAGE}?batch=${batch?.id}`);
    await page.getByRole('button', { name: 'Problem rows' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download CSV' }).click();
    const stream = await (await download).createReadStream();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    const csv = Buffer.concat(parts).toString('utf8');
    expect(csv).toContain('What is wrong');
    expect(csv.trim().split(/\r?\n/)).toHaveLength(BAD + 1);

    const corrected = csv.replaceAll(',many,', ',7,').replace(/^(B-\d+),,/gm, '$1,Named later $1,');
    await bring(page, corrected, 'corrected.csv');
    await check(page, `Import ${BAD} products`);
    await page.getByRole('button', { name: `Import ${BAD} products` }).click();
    await expect(page.getByText(`${BAD} products imported`)).toBeVisible();
    expect(await count(api)).toBe(ROWS);
  });

  await test.step('changes nothing when imported again, and shows old and new values when it does', async () => {
    await bring(page, products());
    await describeRemarks(page);
    await check(page, 'Nothing to import');
    await expect(page.getByText(`${ROWS - BAD} rows change nothing.`)).toBeVisible();
    await page.getByRole('button', { name: 'Delete upload' }).click();
    await expect(page).toHaveURL(`${PAGE}?list=products`);

    await bring(page, products('Quite another'), 'changed.csv');
    await describeRemarks(page);
    await check(page, `Import ${ROWS - BAD} products`);
    const first = page.getByRole('row').filter({ hasText: 'Bread 1' }).first();
    await expect(first.locator('del')).toHaveText('As it comes');
    await expect(first.locator('ins')).toHaveText('Quite another');
    await page.getByRole('button', { name: `Import ${ROWS - BAD} products` }).click();
    await expect(page.getByText(`${ROWS - BAD} products imported: ${ROWS - BAD} changed`)).toBeVisible();
    const found = await api.call<{ items: { description: string }[] }>('GET', '/api/products?q=Bread%201&pageSize=1');
    expect(found.items[0]?.description).toBe('Quite another');
  });

  await test.step('is undone, except for records changed since', async () => {
    const undo = async () => {
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText(/products/).first()).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Undo import' }).click();
      await expect(page.getByText(/^Undone \d/)).toBeVisible();
    };
    await page.goto(`${PAGE}?tab=history`);
    await expect(page.getByText('changed.csv')).toBeVisible();
    await page.getByRole('button', { name: 'Actions for changed.csv' }).click();
    await page.getByRole('menuitem', { name: 'Undo import' }).click();
    await undo();
    const found = await api.call<{ items: { description: string }[] }>('GET', '/api/products?q=Bread%201&pageSize=1');
    expect(found.items[0]?.description).toBe('As it comes');

    await page.goto(`${PAGE}?tab=history`);
    await page.getByRole('link', { name: 'corrected.csv' }).click();
    await page.getByRole('button', { name: 'Undo import' }).click();
    await undo();
    await expect(page.getByText(`${BAD} products taken back.`)).toBeVisible();
    expect(await count(api)).toBe(ROWS - BAD);

    // Its products were changed since, and undoing their creation cannot remove them: each says so.
    await page.goto(`${PAGE}?tab=history`);
    await page.getByRole('link', { name: 'products.csv' }).click();
    await page.getByRole('button', { name: 'Undo import' }).click();
    await undo();
    await expect(page.getByText(/stay as they are; their rows say why/)).toBeVisible();
    await expect(page.getByText('Changed by Ana Cruz since the import.').first()).toBeVisible();
    expect(await count(api)).toBe(ROWS - BAD);
    await expectAccessible(page);
  });
});

test('a file of another format is refused, and the page can be used on a phone', async ({ signedIn: page, complaints }) => {
  await test.step('a file of another format is refused with a message', async () => {
    await page.goto(`${PAGE}?list=uoms`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'picture.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    });
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByText('Something went wrong')).toHaveCount(0);
    await expectAccessible(page);
    expect(complaints.splice(0).filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
  });

  await test.step('everything can be used on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const fits = async () => {
      await expectAccessible(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, 'nothing sticks out sideways').toBeLessThanOrEqual(0);
    };
    await page.goto(PAGE);
    await page.getByRole('combobox', { name: 'What to import' }).selectOption('Food types');
    await fits();
    await page.locator('input[type=file]').setInputFiles({
      name: 'food-types.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Name\nPhone soup\nPhone stew\n'),
    });
    await expect(page.getByText('What does each column mean?')).toBeVisible();
    await fits();
    await page.getByRole('button', { name: 'Check every row' }).click();
    await expect(page.getByRole('button', { name: 'Import 2 food types' })).toBeVisible();
    await fits();
    await page.goto(`${PAGE}?tab=history`);
    await expect(page.getByText('food-types.csv')).toBeVisible();
    await fits();
  });
});

test('users are not offered imports they have no permission for, and are told why', async ({ browser, baseURL, api }) => {
  const right = { apps: { backOffice: { view: true } }, tools: { importData: { view: true, import: true } } } as const;
  const none = await makePerson(api, 'Nora', (await makeRole(api, right)).id);
  const some = await makePerson(
    api,
    'Sol',
    (await makeRole(api, { ...right, products: { products: { view: true, create: true, edit: true } } })).id,
  );
  const { context, page } = await browserOf(browser, baseURL ?? '');
  await enter(page, none.email);
  await page.goto(PAGE);
  await expect(page.getByText('There is no list you may import into')).toBeVisible();
  await expectAccessible(page);
  await context.clearCookies();
  await enter(page, some.email);
  await page.goto(`${PAGE}?list=uoms`);
  await expect(page.getByRole('radio')).toHaveCount(1);
  await expect(page.getByText(/is not among what you may import/)).toBeVisible();
  await expectAccessible(page);
  await context.close();
});
