// What follows from counts, on a phone and at a desk, in light and dark: the reports, and what there is without any count.
// The sweep looks at the same screens over the demo's data.

import { makeLived, today, yesterday } from '../../support/counts.ts';
import { DESK, expectFine, PHONE } from '../../support/looks.ts';
import { expect, test } from '../../support/test.ts';
import { open } from '../../support/walk.ts';

/** What a count report shows when there is something to report. */
const SHOWN = { 'count-compliance': 'Counts by day', 'count-people': 'Ana Cruz', 'count-variance': /Coconut milk|^Nothing was counted/ };

test('what follows from counts: reports of some, and every screen of none', async ({ signedIn: page, api, baseURL }) => {
  // Each screen is looked through four times; a machine that is busy with others may take its time.
  test.slow();
  const empty = await api.call<{ id: string }>('POST', '/api/stores/locations', { name: 'Empty store' });
  const { storeId } = await makeLived(api);
  const look = async (path: string, seen: string | RegExp, name: string) => {
    await open(page, baseURL ?? '', path);
    await expect(page.getByText(seen).filter({ visible: true }).first()).toBeVisible();
    await expect(page.locator('[class*=mantine-Skeleton]')).toHaveCount(0);
    await expectFine(page, name);
  };
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size);
    // Loaded as on a screen of that size.
    await page.goto('/lists');
    await look(`/lists/store-inventory-items?view=mixes&store=${storeId}`, 'Beef shank', 'mixes');
    await look(`/stores/inventory?store=${empty.id}&view=counts`, /Beef shank|Nothing|No /, 'grid-empty');
    for (const report of ['count-compliance', 'count-people', 'count-variance'] as const) {
      // A report of its own accord ends with the last whole week, which has nothing of today.
      await look(`/reports/${report}?from=${yesterday()}&to=${today()}&stores=${storeId}`, SHOWN[report], report);
      const axis = await page.locator('.recharts-yAxis-tick-labels text').allTextContents();
      expect(new Set(axis).size, `${report}: each number stands at its axis once`).toBe(axis.length);
      await look(`/reports/${report}?from=2020-01-06&to=2020-01-12`, /Nothing|No /, `${report}-empty`);
    }
  }
});
