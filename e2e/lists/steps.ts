// Common list operations.

import type { Locator, Page } from '@playwright/test';
import { expect } from '../support/test.ts';
import { walkTo } from '../support/walk.ts';
import { type Listed, pageOf } from './catalogue.ts';

export const drawerOf = (page: Page) => page.getByRole('dialog').first();

export const row = (page: Page, name: string): Locator =>
  page.locator('tbody tr[data-key]', { has: page.getByText(name, { exact: true }) }).first();

/** The names of the rows, in order. */
export const namesOf = (page: Page): Promise<string[]> =>
  page.locator('tbody tr[data-key] [data-primary]').allInnerTexts();

/** Chooses by typing a few letters, as in every choice of the console. */
export async function choose(page: Page, scope: Locator, label: string, option: string): Promise<void> {
  const field = scope.getByRole('combobox', { name: label }).or(scope.getByLabel(label)).first();
  await field.fill(option);
  // A code may follow the name.
  await page.getByRole('option', { name: new RegExp(`^${option}( ·|$)`) }).first().click();
}

export async function fill(page: Page, list: Listed): Promise<void> {
  const drawer = drawerOf(page);
  for (const [label, option] of Object.entries(list.choose ?? {})) await choose(page, drawer, label, option);
  if (!list.choose?.[list.named]) await drawer.getByLabel(list.named, { exact: false }).first().fill(list.name);
  for (const [label, value] of Object.entries(list.more ?? {})) {
    await drawer.getByRole('textbox', { name: label, exact: true }).fill(value);
  }
}

/** Opens the form of a record. */
export async function open(page: Page, list: Listed, name: string): Promise<Locator> {
  await row(page, name).getByText(name, { exact: true }).first().click();
  if (list.whole) await page.getByRole('button', { name: /^Edit/ }).click();
  await expect(drawerOf(page)).toBeVisible();
  return drawerOf(page);
}

/** Goes to a list: first by loading the console, then by navigating within it. */
export async function goTo(page: Page, list: Listed, search = ''): Promise<void> {
  const address = pageOf(list) + search;
  if (page.url() === 'about:blank') await page.goto(address);
  else await walkTo(page, address);
  await expect(page.getByRole('heading', { level: 1, name: list.heading })).toBeVisible();
}

/** Presses «Undo» beside the title. */
export const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true }).click();
