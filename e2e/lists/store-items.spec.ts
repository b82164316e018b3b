// Store count items, and splitting a count over recipes.

import { expect, expectAccessible, test } from '../support/test.ts';

interface Made {
  id: string;
  name: string;
}

const ITEMS = '/api/lists/store-inventory-items';

test('stores choose their count items, and a count is split over recipes', async ({ signedIn: page, api }) => {
  await test.step('stores move between groups by mouse and by menu, and make their own choice', async () => {
    const store = async (name: string) => api.call<Made>('POST', '/api/stores/locations', { name });
    const item = async (name: string, storageArea: string) => api.call<Made>('POST', ITEMS, { name, storageArea });
    const [north, south] = [await store('North'), await store('South')];
    const [rice, milk] = [await item('Rice', 'Dry store'), await item('Milk', 'Chiller')];

    await page.goto('/lists/store-inventory-items');
    await page.getByRole('link', { name: 'Visibility' }).click();
    await page.getByRole('button', { name: 'New group' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Create group' }).click();
    await expect(drawer.getByText('Enter a name.')).toBeVisible();
    await drawer.getByLabel('Name').fill('Kiosks');
    await drawer.getByRole('checkbox', { name: 'Rice' }).check();
    await drawer.getByRole('button', { name: 'Create group' }).click();
    await expect(drawer).toBeHidden();

    const kiosks = page.getByRole('region', { name: 'Kiosks' });
    await expect(kiosks.getByText('1 item')).toBeVisible();
    await expectAccessible(page);
    await page.getByText('North', { exact: true }).dragTo(kiosks);
    await expect(kiosks.getByText('North', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Move South' }).click();
    await page.getByRole('menuitem', { name: 'Move to Kiosks' }).click();
    await expect(kiosks.getByText('South', { exact: true })).toBeVisible();

    await kiosks.getByRole('button', { name: /^South/ }).click();
    await drawer.getByRole('radio', { name: 'Its own choice' }).check();
    await expect(drawer.getByRole('checkbox', { name: 'Rice' })).toBeChecked();
    await drawer.getByRole('checkbox', { name: 'Milk' }).check();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(drawer).toBeHidden();
    await expect(kiosks.getByText('Own choice')).toBeVisible();

    const shown = (id: string) =>
      api.call<{ itemIds: string[] | null; source: string }>('GET', `${ITEMS}/visibility/${id}`);
    expect(await shown(north.id)).toMatchObject({ itemIds: null, source: 'group' });
    expect((await shown(south.id)).itemIds?.toSorted()).toEqual([rice.id, milk.id].toSorted());

    // Another store copies South's choice, and its splits only on request.
    const recipe = await api.call<Made>('POST', '/api/lists/recipes', { name: 'Fried rice' });
    const split = { splits: [{ recipeId: recipe.id, percent: 60 }] };
    await api.call('PUT', `${ITEMS}/mixes/${south.id}_${rice.id}`, split);
    const mixOfNorth = async () => {
      const { items } = await api.call<{ items: { itemId: string }[] }>('GET', `${ITEMS}/mixes?storeId=${north.id}`);
      return items.map(({ itemId }) => itemId);
    };
    await kiosks.getByRole('button', { name: /^North/ }).click();
    const copyFromSouth = async () => {
      await drawer.getByRole('combobox', { name: 'Copy from another store' }).click();
      await page.getByRole('option', { name: 'South' }).click();
      await drawer.getByRole('button', { name: 'Copy', exact: true }).click();
    };
    await copyFromSouth();
    await expect(page.getByText('Copied from South', { exact: true })).toBeVisible();
    await expect(drawer.getByRole('radio', { name: 'Its own choice' })).toBeChecked();
    await expect(drawer.getByRole('checkbox', { name: 'Milk' })).toBeChecked();
    expect((await shown(north.id)).itemIds?.toSorted()).toEqual([rice.id, milk.id].toSorted());
    expect(await mixOfNorth()).toEqual([]);
    await drawer.getByRole('checkbox', { name: /^Also mixes/ }).check();
    await copyFromSouth();
    await expect(page.getByText('Copied from South, with its mixes')).toBeVisible();
    expect(await mixOfNorth()).toEqual([rice.id]);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();

    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
  });

  await test.step('a mix shows its sum, warns when it is incomplete, and is set for many stores', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const [east, west] = [
      await api.call<Made>('POST', '/api/stores/locations', { name: 'East' }),
      await api.call<Made>('POST', '/api/stores/locations', { name: 'West' }),
    ];
    const tray = await api.call<Made>('POST', ITEMS, { name: 'Cooked rice tray' });
    for (const name of ['Garlic rice', 'Plain rice']) await api.call('POST', '/api/lists/recipes', { name });

    await page.goto(`/lists/store-inventory-items?view=mixes&store=${east.id}`);
    await page.getByText('Cooked rice tray', { exact: true }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('combobox', { name: 'Recipe 1' }).click();
    await page.getByRole('option', { name: 'Garlic rice' }).click();
    await drawer.getByLabel('Percent 1').fill('30');
    await expect(drawer.getByText('70% not split')).toBeVisible();
    await drawer.getByRole('button', { name: 'Add recipe' }).click();
    await drawer.getByRole('combobox', { name: 'Recipe 2' }).click();
    await page.getByRole('option', { name: 'Plain rice' }).click();
    await drawer.getByLabel('Percent 2').fill('80');
    await expect(drawer.getByText('More than 100%')).toBeVisible();
    await drawer.getByLabel('Percent 2').fill('70');
    await expect(drawer.getByText('More than 100%')).toBeHidden();
    await drawer.getByRole('button', { name: 'Other stores: No other store' }).click();
    await page.getByRole('checkbox', { name: 'West' }).check();
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save mix' }).click();
    await expect(drawer).toBeHidden();
    await expect(page.getByText('100%', { exact: true })).toBeVisible();
    for (const { id } of [east, west]) {
      const mix = await api.call<{ splits: { percent: number }[]; whole: boolean }>('GET', `${ITEMS}/mixes/${id}_${tray.id}`);
      expect(mix.splits.map(({ percent }) => percent)).toEqual([30, 70]);
      expect(mix.whole).toBe(true);
    }
    await expectAccessible(page);
  });
});
