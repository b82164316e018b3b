import { describe, expect, it } from 'vitest';
import { emptyTransfer, transferRecord } from './transfer/form';
import { emptyWaste, wasteRecord } from './waste/form';

const at = new Date('2026-11-24T15:58:00Z');
const sent = { uid: 'u1', storeId: 's1', at };

describe('goods that left', () => {
  it('left when that was entered, whenever it is sent', () => {
    const waste = wasteRecord({ ...sent, form: emptyWaste(), mayPost: true });
    expect(waste.body).toMatchObject({ happenedAt: at.toISOString() });
    expect(waste.body).not.toHaveProperty('businessDate');
    const to = { ...sent, toName: 'Makati', form: emptyTransfer() };
    expect(transferRecord({ ...to, mayPost: true })).toMatchObject({
      step: 'dispatch',
      stepBody: { happenedAt: at.toISOString() },
    });
    // A draft for another user leaves when that user sends it.
    expect(transferRecord({ ...to, mayPost: false })).not.toHaveProperty('stepBody');
  });
});
