// Every link of Home and of the bell, as each of the demo's users: its page opens, without a refusal or an error, and lists
// as many rows as the tile says. That the server's figures agree is tested without a browser: `crates/demo/src/links.rs`.

import { Server } from '../support/server.ts';
import { admit, browserOf } from '../support/people.ts';
import { expect, test } from '../support/test.ts';
import { Pending, walkTo } from '../support/walk.ts';

const PEOPLE = [
  ['admin@larder.example', 'pandesal-at-sunrise'],
  ['head.office@larder.example', 'kape-barako-two-cups'],
  ['store.manager@larder.example', 'halo-halo-extra-ube'],
  ['commissary@larder.example', 'adobo-simmers-slowly'],
  ['accounting@larder.example', 'sinigang-by-the-book'],
  ['viewer@larder.example', 'turon-behind-glass'],
] as const;

/** Tiles whose page shows its rows otherwise than in a table: cards, a drawer, a calendar. */
const WITHOUT_TABLE = ['onTheWay', 'countsHeld', 'readingsMissing'];

interface Item {
  href: string;
}

interface Home {
  tiles: {
    name: string;
    waiting?: { count: number; href: string; items: Item[] };
    stores?: { href?: string; stores: Partial<Item>[] };
  }[];
  since?: { items: Item[] };
}

test('every link of home and the bell opens for each user', async ({ browser, server }) => {
  test.setTimeout(600_000);
  expect(server.url).not.toBe('');
  const demo = await Server.startWithDemo();
  try {
    for (const [email, secret] of PEOPLE) {
      await test.step(email, async () => {
        const { context, page } = await browserOf(browser, demo.url);
        const api = await admit(context, demo.url, email, secret);
        const home = await api.call<Home>('GET', '/api/dashboard/main');
        const bell = await api.call<{ items: Item[] }>('GET', '/api/notifications');
        const counts = new Map<string, number>();
        const links = new Set<string>();
        for (const { name, waiting, stores } of home.tiles) {
          if (waiting) {
            links.add(waiting.href);
            if (!WITHOUT_TABLE.includes(name)) counts.set(waiting.href, waiting.count);
          }
          for (const { href } of [...(waiting?.items ?? []), ...(stores?.stores ?? []), { href: stores?.href }]) {
            if (href) links.add(href);
          }
        }
        for (const { href } of [...bell.items, ...(home.since?.items ?? [])]) links.add(href);
        expect(links.size).toBeGreaterThan(5);

        const pending = new Pending(page);
        await page.goto('/dashboard/main');
        for (const href of onePerPage(links, counts)) {
          await walkTo(page, href);
          await pending.none();
          await expect(page.getByText("You don't have access to this page."), `${email} ${href}`).toHaveCount(0);
          await expect(page.getByRole('heading', { level: 1 }).first(), `${email} ${href}`).toBeVisible();
          await expect(page.locator('[role="alert"][data-tone="danger"]'), `${email} ${href}`).toHaveCount(0);
          const count = counts.get(href);
          if (count !== undefined) {
            const table = page.locator('[data-count]').first();
            await expect(table, `${email} ${href}`).toHaveAttribute('data-count', String(count));
          }
        }
        await context.close();
      });
    }
  } finally {
    await demo.stop();
  }
});

/** The lists of tiles, and of other links one for each page. */
function onePerPage(links: ReadonlySet<string>, lists: ReadonlyMap<string, number>): string[] {
  const seen = new Set<string>();
  return [...links].filter((href) => {
    const page = (href.split('?')[0] ?? '').replace(/\/[0-9][^/]*/g, '/:id');
    const isFirst = !seen.has(page);
    seen.add(page);
    return isFirst || lists.has(href);
  });
}
