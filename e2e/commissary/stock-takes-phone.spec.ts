// A blind stock-take on a phone.

import { expectTappable } from '../support/looks.ts';
import { expect, expectAccessible, test } from '../support/test.ts';
import { kitchen, stockOf } from './counted.ts';

test.use({ serviceWorkers: 'allow' });

test('a phone counts a blind take, and the rest is zero', async ({ signedIn: page, api }) => {
  const { buns } = await kitchen(api);
  await page.setViewportSize({ width: 390, height: 844 });
  const grid = page.getByRole('grid', { name: 'Count sheet' });

  await test.step('the ledger is hidden while counting', async () => {
    await page.goto('/commissary/stock-takes?open=new');
    await page.getByRole('switch', { name: /^Blind/ }).check();
    await page.getByRole('button', { name: 'Make sheet' }).click();
    await page.getByRole('button', { name: 'Start counting' }).click();
    await grid.getByLabel('Counted, Butter', { exact: true }).fill('10');
    await page.keyboard.press('Enter');
    await expect(page.getByText('1 of 2 counted')).toBeVisible();
    await expect(grid.getByText('Ledger')).toHaveCount(0);
    await expectAccessible(page);
    await expectTappable(page, '[data-steps]');
  });
  await test.step('what was not found is zero, asked once', async () => {
    await page.getByRole('button', { name: 'Count the rest as zero' }).click();
    await page.getByRole('button', { name: 'Count 1 line as zero' }).click();
    await expect(page.getByText('2 of 2 counted')).toBeVisible();
  });
  await test.step('the differences are reviewed, then posted', async () => {
    await page.getByRole('button', { name: 'Review differences' }).click();
    await expect(grid.getByText('−96')).toBeVisible();
    await page.getByRole('button', { name: 'Post differences' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Post differences' }).click();
    await expect(page.getByText('Posted', { exact: true }).first()).toBeVisible();
    expect(await stockOf(api, buns)).toEqual([]);
  });
});
