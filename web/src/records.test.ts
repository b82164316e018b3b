import { describe, expect, it } from 'vitest';
import { kinds } from './kinds.gen';
import { recordBase, recordKinds, recordPath } from './records';

describe('records', () => {
  it('have a page for every kind the server says has one', () => {
    const placed = Object.values(kinds).filter(({ place }) => place);
    expect(placed.length).toBeGreaterThan(20);
    expect(Object.keys(recordKinds)).toHaveLength(placed.length);
  });

  it('open on the page that shows them', () => {
    expect(recordPath('uom', 'a1')).toBe('/lists/uoms?open=a1');
    expect(recordPath('company', 'a1')).toBe('/lists/companies/a1');
    expect(recordPath('location', 'a/1')).toBe('/stores/locations/a%2F1');
    expect(recordPath('account', 'a1')).toBe('/your-company/chart-of-accounts?open=a1');
    expect(recordPath('nothing', 'a1')).toBeNull();
    expect(recordBase('nothing')).toBeNull();
  });
});
