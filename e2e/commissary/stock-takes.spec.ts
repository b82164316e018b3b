// A kitchen is counted by keyboard at a desk, also without a network, and posted with its differences.

import { expect, expectAccessible, test } from '../support/test.ts';
import { kitchen, stockOf } from './counted.ts';

test.use({ serviceWorkers: 'allow' });

test('a kitchen is counted and its stock corrected', async ({ signedIn: page, api, complaints }) => {
  const { buns, butter } = await kitchen(api);
  const grid = page.getByRole('grid', { name: 'Count sheet' });
  const counted = (name: string) => grid.getByLabel(`Counted, ${name}`, { exact: true });

  await test.step('the sheet has what the ledger has, by area', async () => {
    await page.goto('/commissary/production');
    await page.getByRole('link', { name: 'Stock-takes' }).click();
    await page.getByRole('button', { name: 'New stock-take' }).click();
    await page.getByRole('button', { name: 'Make sheet' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^ST-\d{4}-\d{6}$/);
    await expect(grid.getByText('Chiller')).toBeVisible();
    await expect(grid.getByText('Without an area')).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('its area changes, and lines are removed and added', async () => {
    const lines = (words: string) => expect(page.getByText(words, { exact: true })).toBeVisible();
    await lines('2 lines');
    await page.getByRole('combobox', { name: 'Area' }).click();
    await page.getByRole('option', { name: 'Chiller' }).click();
    await lines('1 line');
    await expect(grid.getByText('Without an area')).toBeHidden();
    await page.getByLabel('All areas', { exact: true }).click();
    await lines('2 lines');
    await page.getByRole('button', { name: 'Remove Buns' }).click();
    await lines('1 line');
    await page.getByRole('button', { name: 'Lot or product' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Product' }).fill('Buns');
    await page.getByRole('option', { name: 'Buns' }).click();
    await page.getByRole('button', { name: 'Add to sheet' }).click();
    await lines('2 lines');
    await page.getByLabel('Notes').fill('Before the audit');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expect(page.getByText('Stock-take saved')).toBeVisible();
    await page.getByRole('button', { name: 'Start counting' }).click();
    await expect(page.getByText('0 of 2 counted')).toBeVisible();
    await expect(page.getByText('Before the audit')).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('Home names it, and its list shows it', async () => {
    await page.goto('/dashboard/main');
    const tile = page.locator('[data-tile="stockTakesOpen"]');
    await tile.getByRole('link', { name: /^Stock-takes to finish/ }).click();
    await expect(page.getByRole('button', { name: 'Counting 1' })).toHaveAttribute('aria-pressed', 'true');
    await page.goBack();
    await tile.getByRole('link', { name: /Finish stock-take ST-/ }).click();
    await expect(page.getByText('0 of 2 counted')).toBeVisible();
  });
  await test.step('Enter moves on, and sums are worked out', async () => {
    await counted('Butter').fill('8+0.5');
    await counted('Butter').press('Enter');
    await expect(counted('Buns')).toBeFocused();
    await expect(page.getByText('1 of 2 counted')).toBeVisible();
    await expect(counted('Butter')).toHaveValue('8.5');
    await expect(grid.getByText('−1.5')).toBeVisible();
  });
  await test.step('without a network a number stays on the device, and is sent when it is back', async () => {
    await page.context().setOffline(true);
    await counted('Buns').fill('90');
    await counted('Buns').press('Enter');
    await expect(page.getByText(/1 number saved on this device/)).toBeVisible();
    await page.context().setOffline(false);
    await page.reload();
    await expect(page.getByText('2 of 2 counted')).toBeVisible();
    await expect(page.getByText(/saved on this device/)).toBeHidden();
    await expect(counted('Buns')).toHaveValue('90');
  });
  await test.step('another lot is added', async () => {
    await page.getByRole('button', { name: 'Lot, product or unit' }).click();
    await page.getByRole('combobox', { name: 'Product' }).fill('Butter');
    await page.getByRole('option', { name: 'Butter' }).click();
    await page.getByLabel('Lot', { exact: true }).fill('B-7');
    await page.getByRole('dialog').getByLabel('Counted').fill('2');
    await page.getByRole('button', { name: 'Add to sheet' }).click();
    await expect(counted('Butter, lot B-7')).toHaveValue('2');
  });
  await test.step('posting corrects the stock', async () => {
    await page.getByRole('button', { name: 'Post differences' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Post differences' }).click();
    await expect(page.getByText('Posted', { exact: true }).first()).toBeVisible();
    await expect(page.getByText(/^Stock-take ST-/)).toBeVisible();
    expect(await stockOf(api, buns)).toEqual([90]);
    expect(await stockOf(api, butter)).toEqual([10.5]);
  });
  // The browser names each request that found no network.
  expect(complaints.splice(0).filter((said) => !/ERR_INTERNET_DISCONNECTED/.test(said))).toEqual([]);
});
