import { describe, expect, it } from 'vitest';
import { cashFault, cashRecord, depositFault, emptyCash, emptyDeposit } from './form';

const who = { uid: 'u1', storeId: 's1', at: new Date('2026-11-20T14:00:00Z') };

describe('a cash declaration', () => {
  it('requires whole pieces and valid amounts', () => {
    const empty = emptyCash('2026-11-20');
    expect(cashFault(empty)).toBe('Count the drawer first.');
    expect(cashFault({ ...empty, pieces: { '100': '1.5' } })).toMatch(/whole pieces/);
    expect(cashFault({ ...empty, tenders: { card: '12.345' } })).toMatch(/at most centavos/);
    expect(cashFault({ ...empty, pieces: { '100': '0' } })).toBeNull();
  });

  it('becomes a record with its sum in the title', () => {
    const form = {
      ...emptyCash('2026-11-20'),
      pieces: { '1000': '3', '0.25': '2', '20': '' },
      tenders: { card: '500', voucher: '' },
    };
    const record = cashRecord(form, who);
    expect(record.title).toBe('Cash ₱3,000.50');
    expect(record.body).toMatchObject({
      pieces: [
        { denomination: 1000, pieces: 3 },
        { denomination: 0.25, pieces: 2 },
      ],
      tenders: [{ kind: 'card', amount: 500 }],
    });
    expect(record.step).toBeNull();
  });
});

it('requires an amount and a bank for a deposit', () => {
  const empty = emptyDeposit('2026-11-20');
  expect(depositFault(empty)).toBe('Enter the amount on the slip.');
  expect(depositFault({ ...empty, amount: '900' })).toBe('Say which bank.');
  expect(depositFault({ ...empty, amount: '900', bank: 'BPI' })).toBeNull();
  expect(depositFault({ ...empty, amount: '900', bank: 'BPI', depositedOn: '3/4/2026' })).toBe(
    'Enter the day it was paid in.',
  );
});
