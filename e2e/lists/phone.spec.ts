// Every list on a phone: read, opened, without accessibility faults.

import { expect, expectAccessible, test } from '../support/test.ts';
import { walkTo } from '../support/walk.ts';
import { baseOf, lists, type Made, pageOf, prepare } from './catalogue.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

for (const list of lists) {
  test(`${list.slug} on a phone`, async ({ signedIn: page, api }) => {
    // Ten looks for accessibility faults take their time on a busy machine.
    test.slow();
    await prepare(api, list);
    const named = list.slug === 'pos-items' ? 'description' : 'name';
    const body: Record<string, unknown> =
      list.slug === 'store-root-items'
        ? {
            storeId: (await api.call<{ items: Made[] }>('GET', '/api/stores/locations')).items[0]?.id,
            rootItemId: (await api.call<{ items: Made[] }>('GET', '/api/lists/root-items?q=Garlic')).items[0]?.id,
          }
        : { [named]: list.name };
    if (list.slug === 'uoms') body.code = 'kg';
    if (list.slug === 'chart-of-accounts') body.type = 'Bank';
    const made = await api.call<Made>('POST', baseOf(list), body);
    await page.goto(pageOf(list));
    await expect(page.getByText(list.name, { exact: true }).first()).toBeVisible();
    await expectAccessible(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide, 'nothing runs off the side').toBe(false);
    await walkTo(page, list.whole ? `${pageOf(list)}/${made.id}` : `${pageOf(list)}?open=${made.id}`);
    await expect(list.whole ? page.getByRole('heading', { level: 1, name: list.name }) : page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page);
  });
}
