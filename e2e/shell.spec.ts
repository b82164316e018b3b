// The frame around every page: rail, top bar, search, menus, guards.

import { expect, expectAccessible, test } from './support/test.ts';

test('unknown addresses lead home', async ({ signedIn: page }) => {
  for (const path of ['/nowhere', '/branch-ops/x', '/lists/nothing']) {
    await page.goto(path);
    await expect(page).toHaveURL('/');
  }
});

test('the rail opens a menu on hover and closes it 120 ms after', async ({ signedIn: page }) => {
  await page.goto('/lists');
  const rail = page.getByRole('navigation').first();
  await rail.getByText('Reports', { exact: true }).hover();
  const item = page.getByRole('menuitem', { name: 'Standard' }).or(page.getByRole('link', { name: 'Standard' }));
  await expect(item.first()).toBeVisible();
  await page.mouse.move(900, 700);
  await expect(item.first()).toBeHidden();
});

test('the search jumps to a page by keyboard', async ({ signedIn: page }) => {
  await page.goto('/lists');
  await expect(page.getByRole('heading', { level: 1, name: 'All lists' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByPlaceholder('Search or jump to…')).toBeFocused();
  await page.keyboard.type('units of');
  await expect(page.getByRole('dialog').getByText('Units of measure')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/lists/uoms');
});

test('menus hold what the specification lists, with and without links', async ({ signedIn: page }) => {
  await page.goto('/lists');
  await page.getByRole('button', { name: /settings/i }).click();
  await expect(page.getByRole('menuitem', { name: 'All lists' }).or(page.getByRole('link', { name: 'All lists' })).first()).toBeVisible();
  await expect(page.getByText('Custom form styles')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /new/i }).first().click();
  await expect(page.getByText('Receive Delivery')).toBeVisible();
});

test('on a phone everything is within reach', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/lists');
  await expect(page.getByRole('heading', { level: 1, name: 'All lists' })).toBeVisible();
  await expectAccessible(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide, 'nothing sticks out sideways').toBeLessThanOrEqual(0);
});
