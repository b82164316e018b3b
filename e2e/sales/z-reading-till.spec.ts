// An unknown till: its first picture asks which one it is, and later ones recognise it.

import { addDays, today } from '../../web/src/ui/dates.ts';
import { draw } from '../support/receipts.ts';
import { type Api, expect, expectAccessible, test } from '../support/test.ts';

// Fixed when the file is loaded: its days stay the same past midnight.
const start = today();
const dayAgo = (ago: number) => addDays(start, -ago);
const readings = (api: Api, query = '') =>
  api.call<{ items: { terminalId: string }[]; total: number }>('GET', `/api/sales/z-reading${query}`);

test('an unknown till is named at its first picture, and a picture can be skipped', async ({ signedIn: page, api, server }) => {
  test.setTimeout(400_000);
  const store = await api.call<{ id: string }>('POST', '/api/stores/locations', { name: 'Cubao', code: 'CUB' });
  await page.goto(`${server.url}/tools/services/zreading-ocr`);
  const pictures = [];
  for (const counter of [1, 2]) {
    const buffer = await draw(page, { date: dayAgo(5 - counter), counter });
    pictures.push({ name: `z${counter}.png`, mimeType: 'image/png', buffer });
  }
  await page.locator('input[type=file]').setInputFiles(pictures);
  await expect.poll(async () => (await readings(api, '?state=needsReview')).total, { timeout: 240_000 }).toBe(2);

  const title = page.getByRole('heading', { level: 1 });
  const till = page.getByRole('combobox', { name: 'Till' });
  const verify = async () => {
    const fields = await page.getByRole('region', { name: 'Look at these first' }).locator('input').count();
    for (let n = 0; n < fields; n += 1) await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^Verify and go on/ })).toBeFocused();
    await page.keyboard.press('Control+Enter');
  };
  await page.goto(`${server.url}/sales/z-reading`);
  await page.getByRole('button', { name: 'Review 2', exact: true }).click();
  await expect(till).toBeFocused();
  await expect(till).toHaveValue('01');
  await expect(page.getByText('A till that is new here. Give it its name.')).toBeVisible();
  const first = await title.textContent();
  await test.step('unchecked fields are asked about before it counts', async () => {
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText(/^\d+ fields? unchecked\. Verify anyway\?$/)).toBeVisible();
    await expect(till).toBeFocused();
    await expectAccessible(page);
    expect((await readings(api, '?state=verified')).total).toBe(0);
  });
  await page.keyboard.press('Control+Shift+Enter');
  await expect(title).not.toHaveText(first ?? '');
  await expect(till).toHaveValue('01');
  await till.fill('EXPRESS');
  await verify();

  await test.step('a skipped one stays in the list; its till is now recognised by its machine number', async () => {
    const waiting = async () => (await readings(api, '?state=needsReview')).items.map(({ terminalId }) => terminalId);
    await expect.poll(waiting).toEqual(['EXPRESS']);
    await page.goto(`${server.url}/sales/z-reading`);
    await page.getByRole('button', { name: 'Review 1', exact: true }).click();
    await expect(title).toHaveText((first ?? '').replace('Cubao', 'Cubao, till EXPRESS'));
    await expect(till).toHaveValue('EXPRESS');
    await expect(till).not.toBeFocused();
    await verify();
    await expect.poll(async () => (await readings(api, '?state=verified')).total).toBe(2);
    const { items } = await readings(api, `?storeId=${store.id}`);
    expect(items.map(({ terminalId }) => terminalId)).toEqual(['EXPRESS', 'EXPRESS']);
  });
});
