// Typed numbers: the meaning of a comma, display after leaving a field, questions, and arithmetic keys on a phone.

import { address, count, entriesOf, field, makeCounted, today } from './support/counts.ts';
import { expect, expectAccessible, test } from './support/test.ts';

interface Made {
  id: string;
}

test('a hundred thousand is a hundred thousand in readings, deposits and orders', async ({
  signedIn: page,
  api,
}) => {
  const make = (path: string, body: object) => api.call<Made>('POST', path, body);
  const store = await make('/api/stores/locations', {
    name: 'Cubao',
    code: 'CUB',
    posTerminals: [{ posCode: 'CUB', terminalId: '01' }],
  });

  await test.step('a reading', async () => {
    await page.goto('/sales/z-reading/new');
    const gross = page.getByLabel('Gross sales');
    await gross.fill('100,000');
    await page.getByLabel('Net sales').fill('1.234.567,89');
    await expect(gross).toHaveValue('100,000.00');
    await page.getByLabel('Transactions').fill('1,250');
    await expect(page.getByLabel('Net sales')).toHaveValue('1,234,567.89');
    const date = page.getByLabel('Date', { exact: true });
    await date.fill(today());
    await gross.focus();
    await expect(date).toHaveValue(/^\d{1,2} [A-Z][a-z]{2} \d{4}$/);
    await expect(page.getByLabel('Transactions')).toHaveValue('1,250');
    // Text that is not a number is not dropped silently on saving.
    await page.getByLabel('Voids').fill('some');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByLabel('Voids')).toBeFocused();
    await page.getByLabel('Voids').fill('₱ １２．５');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Z-reading saved')).toBeVisible();
    const { items } = await api.call<{ items: Record<string, unknown>[] }>(
      'GET',
      '/api/sales/z-reading',
    );
    const [reading] = items;
    const saved = await api.call<Record<string, unknown>>(
      'GET',
      `/api/sales/z-reading/${reading?.id}`,
    );
    expect(saved).toMatchObject({
      gross: 100_000,
      net: 1_234_567.89,
      transactions: 1250,
      voids: 12.5,
      businessDate: today(),
    });
  });

  await test.step('a deposit, with its date spelled out', async () => {
    await api.call('POST', '/api/sales/tender-report/declarations', {
      storeId: store.id,
      businessDate: today(),
      terminalId: '',
      pieces: [{ denomination: 1000, pieces: 60 }],
      tenders: [],
      notes: '',
      photos: [],
    });
    await page.goto('/sales/tender-report');
    await page
      .getByRole('row', { name: /Cubao.*Cash.*60,000/ })
      .getByText('Cubao')
      .click();
    await page.getByRole('button', { name: 'Enter a deposit' }).click();
    const drawer = page.getByRole('dialog', { name: 'Deposit, Cubao' });
    await expect(drawer.getByLabel('Amount')).toHaveValue('60,000.00');
    await drawer.getByLabel('Amount').fill('60,000');
    await drawer.getByLabel('Bank').fill('BPI');
    await expect(drawer.getByLabel('Amount')).toHaveValue('60,000.00');
    await expect(drawer.getByLabel('Paid in on', { exact: true })).toHaveValue(
      /^\d{1,2} [A-Z][a-z]{2} \d{4}$/,
    );
    await drawer.getByRole('button', { name: 'Save deposit' }).click();
    await expect(page.getByText('Deposit saved')).toBeVisible();
    const report = await api.call<{ items: { kind: string; deposited?: number | null }[] }>(
      'GET',
      `/api/sales/tender-report?from=${today()}&to=${today()}`,
    );
    expect(report.items.find(({ kind }) => kind === 'cash')?.deposited).toBe(60_000);
  });

  const kitchen = await make('/api/lists/commissaries', { name: 'Pasig kitchen' });
  const piece = await make('/api/lists/uoms', { name: 'Piece', code: 'pc' });
  const kilo = await make('/api/lists/uoms', { name: 'Kilogram', code: 'kg' });
  const buns = await make('/api/products', { name: 'Buns', sku: 'BUN', baseUom: piece.id });
  const flour = await make('/api/products', { name: 'Flour', sku: 'FLO', baseUom: kilo.id });
  for (const { id } of [buns, flour]) {
    const place = { quantity: 5000, placeKind: 'commissary', placeId: kitchen.id };
    await api.call('POST', `/api/products/${id}/adjust`, place);
  }

  await test.step('an order in pieces; kilograms are asked about', async () => {
    await page.goto('/stores/orders');
    await page.getByRole('button', { name: 'New order' }).click();
    await page.getByRole('button', { name: 'Start order' }).click();
    await page.getByLabel('Order, Buns').click();
    await page.keyboard.type('1,250');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Order, Buns')).toHaveValue('1,250');
    await expect(page.getByLabel('Order, Flour')).toBeFocused();
    await page.keyboard.type('1,250');
    await page.keyboard.press('Enter');
    const asked = page.getByRole('dialog', { name: '1,250 kg or 1.25 kg?' });
    await expect(asked.getByRole('button', { name: '1,250 kg' })).toBeFocused();
    await expect(page.getByLabel('Order, Flour')).toHaveValue('1,250');
    await expectAccessible(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(asked).toHaveCount(0);
    await expect(page.getByLabel('Order, Flour')).toHaveValue('1.25');
    await expect(page.getByLabel('Order, Flour')).toBeFocused();
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Order saved')).toBeVisible();
    const { items } = await api.call<{ items: Made[] }>('GET', '/api/stores/orders');
    const order = await api.call<{ lines: { productId: string; qtyOrdered: number }[] }>(
      'GET',
      `/api/stores/orders/${items[0]?.id}`,
    );
    const ordered = (id: string) =>
      order.lines.find(({ productId }) => productId === id)?.qtyOrdered;
    expect([ordered(buns.id), ordered(flour.id)]).toEqual([1250, 1.25]);
  });

  await test.step('nothing is saved before the answer, and the answer can be clicked', async () => {
    await page.goto(`/products/${flour.id}`);
    await page.getByRole('button', { name: 'Adjust quantity' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enter quantity' });
    await dialog.getByLabel(/^Quantity/).fill('2,500');
    await dialog.getByRole('button', { name: 'Adjust quantity' }).click();
    await expect(page.getByRole('dialog', { name: '2,500 kg or 2.5 kg?' })).toBeVisible();
    await page.getByRole('button', { name: '2,500 kg', exact: true }).click();
    await expect(dialog.getByLabel(/^Quantity/)).toHaveValue('2,500.0');
    await dialog.getByRole('button', { name: 'Adjust quantity' }).click();
    await expect(dialog).toHaveCount(0);
    const product = await api.call<{ quantity: number }>('GET', `/api/products/${flour.id}`);
    expect(product.quantity).toBe(2500);
  });
});

test('a phone has arithmetic keys', async ({ signedIn: page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { storeId, items } = await makeCounted(api);

  await test.step('in a count', async () => {
    await page.goto(address('/store-count', storeId));
    await page.getByRole('button', { name: 'Start counting' }).click();
    await field(page).fill('2');
    await page.getByRole('button', { name: 'Type ×' }).click();
    await page.keyboard.type('3');
    await page.getByRole('button', { name: 'Type +' }).click();
    await page.keyboard.type('1');
    await expect(field(page)).toHaveValue('2×3+1');
    await expect(page.getByText('= 7')).toBeVisible();
    await field(page).press('Enter');
    await count(page, 'Red onion', '1,250');
    await expect
      .poll(async () => (await entriesOf(api, storeId))[items['Red onion'] ?? '']?.qty)
      .toBe(1250);
    expect((await entriesOf(api, storeId))[items['Coconut milk'] ?? '']?.qty).toBe(7);
  });

  await test.step('in every other number field', async () => {
    await page.goto('/branch-ops');
    await page.goto('/branch-ops/cash');
    await page.getByLabel('₱1,000', { exact: true }).fill('2');
    const keys = page.getByRole('region', { name: 'Arithmetic' });
    await keys.getByRole('button', { name: 'Type ×' }).click();
    await page.keyboard.type('3');
    await expectAccessible(page);
    await page.getByLabel('Cards').fill('1,500');
    await expect(page.getByLabel('₱1,000', { exact: true })).toHaveValue('6');
    await page.getByLabel('Note').focus();
    await expect(page.getByLabel('Cards')).toHaveValue('1,500.00');
    await expect(keys).toHaveCount(0);
    await page.getByRole('button', { name: 'Declare ₱6,000.00' }).click();
    await expect(page.getByText('Declared', { exact: true })).toBeVisible({ timeout: 15_000 });
  });
});
