// The search: pages, records and commands in one list, by keyboard, and only those open to the user.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { browserOf, enter, makePerson, makeRole } from './support/people.ts';
import { addressOf, type Api, expect, expectAccessible, test } from './support/test.ts';
import { type PageKey, pages } from '../web/src/paths.ts';

interface Phrase {
  q: string;
  page: PageKey;
  params: Record<string, unknown>;
}
const PHRASES = (JSON.parse(readFileSync(resolve(import.meta.dirname, '../testdata/questions.json'), 'utf8')) as { questions: Phrase[] })
  .questions;

const pressed = (page: Page, name: string | RegExp) => page.getByRole('button', { name, pressed: true });
/** A button of the page that shows its days. */
const days = (page: Page, text: string) => page.getByRole('main').getByRole('button', { name: text }).first();
/** Phrases, and how the page that they open shows what was asked. */
const SHOWN: Record<string, (page: Page) => Locator[]> = {
  'benta kahapon': (page) => [pressed(page, 'Net ₱'), days(page, '23 Nov 2026')],
  'pinakamabenta ngayong buwan': (page) => [pressed(page, 'Net ₱'), days(page, 'This month')],
  'kulang na benta': (page) => [pressed(page, 'With gaps')],
  'missing z reading': (page) => [pressed(page, /^Missing/)],
  'unpaid deposits': (page) => [pressed(page, 'Cash'), pressed(page, 'Not in the bank')],
  'which store has no count today': (page) => [days(page, '24 Nov 2026')],
  'sales vs last year': (page) => [pressed(page, 'Stores')],
  'sales by hour saturday': (page) => [days(page, '21 Nov 2026')],
  'senior discount october by store': (page) => [days(page, '1 Oct 2026')],
  'top items this month': (page) => [pressed(page, 'Net ₱'), days(page, 'This month')],
};

// Requests while the search is still fading are part of this.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const box = (page: Page) => page.getByRole('combobox', { name: 'Search or jump to a page' });
const lines = (page: Page) => page.getByRole('dialog').getByRole('option');

async function search(page: Page, words: string): Promise<void> {
  await expect(page.getByRole('button', { name: /^Search or jump/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(box(page)).toBeFocused();
  await page.keyboard.type(words);
}

let made = false;

async function stock(api: Api): Promise<void> {
  if (made) return;
  made = true;
  await api.call('POST', '/api/products', { name: 'Pandesal, whole wheat', sku: 'PAN-104', type: 'Non-inventory' });
  await api.call('POST', '/api/products', { name: 'Jalapeño sauce', sku: 'SAU-220', type: 'Non-inventory' });
  await api.call('POST', '/api/lists/suppliers', { name: 'Harbour Mills', phone: '+63 (917) 555-0142' });
}

test('finds the intended record, by keyboard, and opens it', async ({ signedIn: page, api, context }) => {
  await test.step('forgives typing errors, and opens the selected result with Enter', async () => {
    await stock(api);
    await page.goto('/lists');
    await search(page, 'pandseal');
    await expect(lines(page).first()).toContainText('Pandesal, whole wheat');
    await expect(lines(page).first()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/products\/[a-z0-9]{16}$/);
    // The page has the focus, not what had it before the search.
    await expect(page.getByRole('heading', { level: 1, name: 'Pandesal, whole wheat' })).toBeFocused();

    // Recently opened results come first in an empty search.
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option').first()).toContainText('Pandesal');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('finds by SKU, by telephone number, and without accents', async () => {
    await stock(api);
    await page.goto('/lists');
    await search(page, 'sau-220');
    await expect(lines(page).first()).toContainText('Jalapeño sauce');
    await box(page).fill('0917 555 0142');
    await expect(lines(page).first()).toContainText('Harbour Mills');
    await box(page).fill('jalapeno');
    await expect(lines(page).first()).toContainText('Jalapeño sauce');
    await box(page).fill('harbour');
    await expect(lines(page).first()).toContainText('Harbour Mills');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/lists\/suppliers\?open=/);
    await expect(page.getByRole('dialog').getByLabel('Name', { exact: false }).first()).toHaveValue('Harbour Mills');
  });

  await test.step('Enter at once opens the result for the typed text, not the previous one', async () => {
    await stock(api);
    await page.goto('/lists');
    await search(page, 'jalapeno');
    await expect(lines(page).first()).toContainText('Jalapeño');
    await box(page).fill('pandesal');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Pandesal, whole wheat' })).toBeVisible();
  });

  await test.step('opens pages, also in a new tab', async () => {
    await page.goto('/lists');
    await search(page, 'catgories');
    await expect(lines(page).first()).toContainText('Categories');
    const opened = context.waitForEvent('page');
    await page.keyboard.press('Control+Enter');
    const tab = await opened;
    await expect(tab).toHaveURL('/lists/categories');
    await tab.close();
    await box(page).fill('weekly root');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/reports/weekly-root-item-sales');
  });

  await test.step('a natural-language question leads to the report that answers it', async () => {
    await api.call('POST', '/api/stores/locations', { name: 'Makati Ayala' });
    await page.goto('/lists');
    await search(page, 'sales makati last week');
    const answers = page.getByRole('group', { name: 'Reports' }).getByRole('option');
    await expect(answers.first()).toContainText('Product sales by store');
    await expect(answers.first()).toContainText('Makati Ayala · Last week');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(addressOf('/reports/product-sales-by-store', 'range=last-week', 'stores=.+'));
    await search(page, 'waste zzqq october');
    await expect(page.getByRole('group', { name: 'Reports' })).toContainText('not understood: zzqq');
    await page.keyboard.press('Escape');
  });

  await test.step('questions in English, Filipino and both open their page with the filters set', async () => {
    for (const [typed, shown] of Object.entries(SHOWN)) {
      const phrase = PHRASES.find(({ q }) => q === typed);
      if (!phrase) throw new Error(`«${typed}» is not in the file`);
      await page.goto('/lists');
      await search(page, typed);
      const answers = page.getByRole('group', { name: 'Reports' }).getByRole('option');
      await expect(answers.first(), typed).toBeVisible();
      await expect(answers.first(), typed).not.toContainText('not on this page');
      await expect(answers.first(), typed).not.toContainText('not understood');
      await page.keyboard.press('Enter');
      const opened = pages[phrase.page].path;
      await expect(page, typed).toHaveURL((url) => url.pathname === opened);
      const { searchParams } = new URL(page.url());
      for (const [name, value] of Object.entries(phrase.params)) {
        const given = searchParams.get(name);
        expect(typeof value === 'string' ? given : JSON.parse(given ?? ''), `${typed}: ${name}`).toEqual(value);
      }
      for (const filter of shown(page)) await expect(filter, typed).toBeVisible();
    }
  });

  await test.step('opens empty, even right after closing', async () => {
    await page.goto('/lists');
    await search(page, 'weekly');
    await expect(lines(page).first()).toBeVisible();
    // Reopened in the next frame: the dialog is still fading out.
    await page.evaluate(async () => {
      const press = (key: string, ctrlKey = false) =>
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, code: ctrlKey ? 'KeyK' : key, ctrlKey, bubbles: true }));
      press('Escape');
      await new Promise(requestAnimationFrame);
      press('k', true);
    });
    await expect(box(page)).toBeFocused();
    await expect(box(page)).toHaveValue('');
    await page.keyboard.type('sign');
    await expect(lines(page).first()).toContainText('Sign out');
  });

  await test.step('the keyboard walks the results, and an empty result says so', async () => {
    await stock(api);
    await page.goto('/lists');
    await search(page, '');
    await expectAccessible(page);
    await box(page).fill('type');
    await expect(lines(page).nth(2)).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(lines(page).nth(2)).toHaveAttribute('aria-selected', 'true');
    const chosen = await lines(page).nth(2).getAttribute('id');
    await expect(box(page)).toHaveAttribute('aria-activedescendant', chosen ?? '');
    await page.keyboard.press('ArrowUp');
    await expect(lines(page).nth(1)).toHaveAttribute('aria-selected', 'true');
    await expectAccessible(page);
    await box(page).fill('zzzzzz');
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await expectAccessible(page);
  });
});

test('a user without permission does not find it', async ({ browser, baseURL, api }) => {
  await stock(api);
  const role = await makeRole(api, { apps: { backOffice: { view: true } }, lists: { allLists: { view: true } } });
  const person = await makePerson(api, 'Perla', role.id);
  const { context, page } = await browserOf(browser, baseURL ?? '');
  await enter(page, person.email);
  await page.goto('/lists');
  await search(page, 'pandesal');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  for (const words of ['new product', 'import products', 'manage users', 'adjust quantity', person.email]) {
    await box(page).fill(words);
    await expect(page.getByText('Nothing matches'), words).toBeVisible();
  }
  await box(page).fill('harbour');
  await expect(lines(page).first()).toContainText('Harbour Mills');
  await context.close();
});

test('runs commands, on desktop and phone', async ({ signedIn: page, api, complaints }) => {
  await test.step('on a phone it fills the screen', async () => {
    await stock(api);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/lists');
    await page.getByRole('button', { name: /Search or jump/ }).click();
    await box(page).fill('sauce');
    await expect(lines(page).first()).toContainText('Jalapeño sauce');
    await expectAccessible(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, 'nothing sticks out sideways').toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('runs commands: a new record, an import, an adjustment, signing out', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await stock(api);
    await page.goto('/lists');
    await search(page, 'new uni');
    await expect(lines(page).first()).toContainText('New unit of measure');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/lists/uoms?open=new');
    await page.goto('/lists');
    await search(page, 'import prod');
    await expect(lines(page).filter({ hasText: 'Import products' })).toBeVisible();
    await lines(page).filter({ hasText: 'Import products' }).click();
    await expect(page).toHaveURL('/tools/import-data?list=products');
    await search(page, 'adjust');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('combobox', { name: 'Which product?' })).toBeFocused();
    await page.keyboard.type('pand');
    await expect(lines(page)).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/products\/.+\?adjust=/);
    const adjusting = page.getByRole('dialog', { name: 'Enter quantity' });
    await expect(adjusting).toContainText('Pandesal, whole wheat');
    await expect(adjusting.getByLabel('Quantity', { exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(adjusting).toHaveCount(0);
    await search(page, 'sign out');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/login');
    // The event stream may end before the page does, and then it asks for the current user.
    expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
  });
});
