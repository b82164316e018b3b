import { expect, it } from 'vitest';
import { storeGapWords } from './Notices';

it('names the stores without sales and their days', () => {
  const range = { from: '2026-11-02', to: '2026-11-08' };
  const store = (name: string, days: number) => ({ id: name, name, days });
  const two = [store('Pasig', 7), store('Cubao', 1)];
  expect(storeGapWords({ ...range, storesWithoutSales: two })).toBe(
    'Pasig (all 7 days), Cubao (1 day)',
  );
  const seven = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => store(name, 2));
  expect(storeGapWords({ ...range, storesWithoutSales: seven })).toBe(
    'A (2 days), B (2 days), C (2 days), D (2 days), E (2 days) and 2 more stores',
  );
});
