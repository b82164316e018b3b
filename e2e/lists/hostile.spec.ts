// User input is always treated as text.

import { expect, test } from '../support/test.ts';
import { walkTo } from '../support/walk.ts';
import { baseOf, type Listed, lists, type Made, pageOf } from './catalogue.ts';
import { drawerOf, goTo } from './steps.ts';

const MARK = 'window.__pwned=1';
const NAMES = [
  `<img src=x onerror=${MARK}>`,
  `"><script>${MARK}</script>`,
  `{{constructor.constructor('${MARK}')()}}`,
  '=HYPERLINK("http://evil.example","x")',
  '@SUM(1+1)',
  '🍚👩🏽‍🍳 Señor Niño ñandú',
  'مخزن الأرز \u202e txet',
  'javascript:alert(1)',
];

const texts: Partial<Record<string, readonly string[]>> = {
  uoms: ['name'],
  'operational-areas': ['name', 'code'],
  'root-items': ['name', 'type', 'rootProductId'],
  'pos-items': ['description', 'category', 'serviceType'],
  companies: ['name', 'legalBusinessName', 'industry', 'city', 'streetAddress', 'phone', 'tin'],
  suppliers: ['name', 'companyName', 'contactPerson', 'phone', 'city', 'notes', 'paymentTerms'],
  commissaries: ['name', 'contactPerson', 'city', 'phone'],
  warehouses: ['name', 'contactPerson', 'city'],
  'store-inventory-items': ['name', 'storageArea'],
  recipes: ['name', 'instructions'],
  'chart-of-accounts': ['name', 'description'],
};

function record(list: Listed, text: string, i: number): Record<string, unknown> {
  const body: Record<string, unknown> = Object.fromEntries((texts[list.slug] ?? ['name']).map((name) => [name, text.slice(0, 50)]));
  if (list.slug === 'uoms') body.code = `u${i}`;
  if (list.slug === 'chart-of-accounts') body.type = 'Bank';
  return body;
}

test('every list shows hostile values as text', async ({ signedIn: page, api }) => {
  test.setTimeout(600_000);
  page.on('dialog', (dialog) => {
    throw new Error(`a dialog: ${dialog.message()}`);
  });
  for (const list of lists.filter(({ slug }) => slug !== 'store-root-items')) {
    await test.step(list.slug, async () => {
      const named = list.slug === 'pos-items' ? 'description' : 'name';
      const taken: { name: string; made: Made }[] = [];
      for (const [i, text] of NAMES.entries()) {
        const body = record(list, text, i);
        // Invisible characters (the direction mark) may be refused; then that is reported and nothing is saved.
        const made = await api.call<Made>('POST', baseOf(list), body).catch((error: Error) => {
          expect(error.message).toMatch(/: 422 /);
          return null;
        });
        if (made) taken.push({ name: String(body[named]), made });
      }
      expect(taken.length).toBeGreaterThanOrEqual(NAMES.length - 1);
      await goTo(page, list);
      for (const { name } of taken) await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
      for (const { made, name } of taken.slice(0, 2)) {
        const one = `?open=${made.id}&view=history`;
        await walkTo(page, list.whole ? `${pageOf(list)}/${made.id}${one}` : pageOf(list) + one);
        await expect(drawerOf(page).locator('li').getByText(name, { exact: true }).first()).toBeVisible();
      }
      expect(await page.evaluate(() => '__pwned' in window)).toBe(false);
      expect(await page.locator('main a[href^="javascript:"], a[href^="data:"]').count()).toBe(0);

      const csv = await (await page.request.get(`${baseOf(list)}/export?format=csv`)).text();
      const cells = csv.split('\n').flatMap((line) => line.split(','));
      expect(cells.filter((cell) => /^"?[=@]/.test(cell)), 'no cell begins a formula').toEqual([]);
    });
  }
});

test('executable or megabyte-long values are refused at their field', async ({ signedIn: page, api, complaints }) => {
  await test.step('executable URLs are refused, by the form and by the server', async () => {
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'http://', 'https://a b.example', 'https://"onmouseover=x']) {
      await expect(api.call('POST', '/api/lists/suppliers', { name: bad, website: bad }), bad).rejects.toThrow(/422/);
    }
    await page.goto('/lists/suppliers?open=new');
    const drawer = drawerOf(page);
    await drawer.getByLabel('Display name').fill('Evil');
    await drawer.getByRole('textbox', { name: 'Website' }).fill('javascript:alert(1)');
    await expect(drawer.getByRole('link', { name: /Open website/ })).toHaveCount(0);
    await page.keyboard.press('Control+Enter');
    await expect(drawer.getByText(/begins with https/)).toBeVisible();
    await expect(drawer).toBeVisible();
    expect(complaints).toEqual([]);
  });

  await test.step('a name of a megabyte is refused at its field, and no other input is lost', async () => {
    await page.goto('/lists/suppliers?open=new');
    const drawer = drawerOf(page);
    await drawer.getByLabel('Display name').fill('x'.repeat(1_000_000));
    await drawer.getByRole('textbox', { name: 'City' }).fill('Cebu');
    await page.keyboard.press('Control+Enter');
    await expect(drawer.getByText(/at most|too large|too long/i).first()).toBeVisible();
    await expect(drawer.getByRole('textbox', { name: 'City' })).toHaveValue('Cebu');
    expect(complaints.splice(0).length).toBeLessThanOrEqual(1);
  });
});
