import { describe, expect, it } from 'vitest';
import { barLabel, storeLabel } from './storeRows';

const row = (name: string, storeName: string) => ({ name, storeName });

describe('rows of stores', () => {
  it('name their store under the bar where there are several', () => {
    const [rice, pork, more] = [row('Rice', 'Makati'), row('Pork', 'Makati'), row('Rice', 'Pasig')];
    expect(barLabel(rice, [rice, pork, more])).toEqual({ label: 'Rice', sub: 'Makati' });
    expect(barLabel(rice, [rice, pork])).toEqual({ label: 'Rice' });
  });

  it('name the first stores', () => {
    const stores = ['Makati', 'Pasig', 'Cubao', 'Taguig', 'Pasay'].map((name) => ({ name }));
    expect(storeLabel(stores)).toBe('Makati, Pasig, Cubao and 2 more stores');
    expect(storeLabel(stores.slice(0, 2))).toBe('Makati and Pasig');
  });
});
