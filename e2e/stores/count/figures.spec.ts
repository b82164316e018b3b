// Figures derived from counts, on phone and desktop, in light and dark: the reports, and their empty states. The sweep
// visits the same screens with the demo's data.

import { makeLived, today, yesterday } from '../../support/counts.ts';
import { DESK, expectFine, PHONE } from '../../support/looks.ts';
import { expect, test } from '../../support/test.ts';
import { open } from '../../support/walk.ts';

/** Content of a count report with data. */
const SHOWN = { 'count-compliance': 'Counts by day', 'count-people': 'Ana Cruz', 'count-variance': /Coconut milk|^Nothing was counted/ };

test('figures from counts: reports with data, and every empty screen', async ({ signedIn: page, api, baseURL }) => {
  // Each screen is checked four times; a busy machine may need the time.
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
    // Loaded at that screen size.
    await page.goto('/lists');
    await look(`/lists/store-inventory-items?view=mixes&store=${storeId}`, 'Beef shank', 'mixes');
    await look(`/stores/inventory?store=${empty.id}&view=counts`, /Beef shank|Nothing|No /, 'grid-empty');
    for (const report of ['count-compliance', 'count-people', 'count-variance'] as const) {
      // By default a report ends with the last whole week, which does not include today.
      await look(`/reports/${report}?from=${yesterday()}&to=${today()}&stores=${storeId}`, SHOWN[report], report);
      const axis = await page.locator('.recharts-yAxis-tick-labels text').allTextContents();
      expect(new Set(axis).size, `${report}: each number appears once on its axis`).toBe(axis.length);
      await look(`/reports/${report}?from=2020-01-06&to=2020-01-12`, /Nothing|No /, `${report}-empty`);
    }
  }
});
