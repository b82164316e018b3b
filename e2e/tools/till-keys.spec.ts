// A till sends its sales with a key of its own, until the key is revoked.

import { expect, expectAccessible, test } from '../support/test.ts';

const HOME = '/api/tools/import-sales-product/ingest';

test('a till sends sales until its key is revoked; what it sent stays', async ({ signedIn: page, api, playwright, server }) => {
  await api.call('POST', '/api/stores/locations', { name: 'Quiapo', code: 'QPO' });
  await api.call('POST', '/api/lists/pos-items', { description: 'Rice bowl' });
  // The till has no session of a browser.
  const till = await playwright.request.newContext();
  let key = '';
  const send = (batch: string, receipt: number) =>
    till.post(server.url + HOME, {
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': batch, 'content-type': 'text/csv' },
      data: `date,store,receipt,item,quantity,net\n2026-11-24,Quiapo,${receipt},Rice bowl,2,200.00\n`,
    });
  const sold = async () => {
    const day = await api.call<{ net: number }>('GET', '/api/reports/sales-terminal?from=2026-11-24&to=2026-11-24');
    return day;
  };

  await test.step('a key is made, and shown once', async () => {
    await page.goto('/tools/import-sales-product/ingest');
    await expect(page.getByText('No key yet')).toBeVisible();
    await page.getByLabel('Name').fill('Till 1, Quiapo');
    await page.getByRole('button', { name: 'Make a key' }).click();
    const shown = page.getByRole('status').filter({ hasText: 'Copy the key now' });
    key = (await shown.locator('code').textContent()) ?? '';
    await expect(page.getByRole('listitem').filter({ hasText: 'Till 1, Quiapo' })).toContainText('In force');
    await expectAccessible(page);
  });

  await test.step('the till sends with it', async () => {
    expect((await send('b1', 1001)).status()).toBe(200);
    await page.reload();
    await expect(page.getByRole('listitem').filter({ hasText: 'Till 1, Quiapo' })).toContainText('last used');
    expect(key).not.toBe('');
    await expect(page.getByText(key)).toHaveCount(0);
  });

  const before = await sold();

  await test.step('it is revoked, and the till is refused at once', async () => {
    await page.getByRole('button', { name: 'Revoke Till 1, Quiapo' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'Till 1, Quiapo' });
    await expect(entry).toContainText('Revoked');
    await expect(entry.getByRole('button')).toHaveCount(0);
    const refused = await send('b2', 1002);
    expect([refused.status(), ((await refused.json()) as { code: string }).code]).toEqual([401, 'unknownKey']);
  });

  await test.step('what it sent stays, and nothing of the refused delivery came in', async () => {
    expect(await sold()).toEqual(before);
    expect(JSON.stringify(before)).toContain('200');
  });
  await till.dispose();
});
