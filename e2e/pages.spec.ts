// Every page that is built: it opens for whoever may see everything, and is closed to whoever may see nothing.

import { pages } from '../web/src/paths.ts';
import { browserOf, enter, makePerson, makeRole } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { open, walkTo } from './support/walk.ts';

interface Page {
  path: string;
  can?: string;
  built?: boolean;
}

const built = (Object.values(pages) as Page[]).filter(({ built }) => built);
// Pages about one record have their own tests, with a record to show.
const plain = built.filter(({ path }) => !path.includes(':'));

// Open to everybody.
const lobby = plain.find(({ can }) => !can)?.path ?? '';

test('every page opens without a word of complaint', async ({ signedIn: page, baseURL }) => {
  test.slow();
  expect(plain.length).toBeGreaterThan(25);
  for (const { path } of plain) {
    await open(page, baseURL ?? '', path);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    await expect(page.getByText('Not Authorized'), path).toHaveCount(0);
  }
});

test('every page with a guard is closed to whoever has no right to it', async ({ browser, baseURL, api }) => {
  test.slow();
  const role = await makeRole(api, { apps: { backOffice: { view: true } } });
  const person = await makePerson(api, 'Nina', role.id);
  const { context, page } = await browserOf(browser, baseURL ?? '');
  await enter(page, person.email);
  const closed = page.getByRole('heading', { name: 'Not Authorized' });
  for (const { path, can } of built.filter((one) => one.can)) {
    await walkTo(page, path.replace(/:\w+/g, 'none'));
    await expect(closed, `${path} asks for ${can}`).toBeVisible();
    // Out of sight before the next, which could be taken for it.
    await walkTo(page, lobby);
    await expect(closed).toHaveCount(0);
  }
  await context.close();
});
