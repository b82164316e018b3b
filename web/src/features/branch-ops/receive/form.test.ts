import { describe, expect, it } from 'vitest';
import type { ExpectedLine } from '../lines';
import type { Coming } from '../types';
import {
  byProduct,
  cameAtFault,
  damagedChoices,
  emptyForm,
  isFound,
  type LineForm,
  photosOf,
  readLine,
  recordOf,
  resolutionsFor,
  withPhotos,
} from './form';

const line: ExpectedLine = {
  id: 'l1',
  name: 'Rice',
  sku: null,
  unit: 'kg',
  expected: 10,
  lot: null,
  expiry: null,
};
const nobody = { tolerance: 0, mayOverride: false };
const read = (typed?: LineForm, rules = nobody) => readLine(line, typed, rules);

describe('a received line', () => {
  it('is as expected until changed', () => {
    expect(read()).toMatchObject({ received: 10, rejected: 0, differs: false, faults: {} });
    expect(read({ received: '5+5' })).toMatchObject({ differs: false, faults: {} });
  });

  it('proposes the reason that the quantities tell', () => {
    expect(read({ received: '8' })).toMatchObject({ short: 2, reason: 'short', faults: {} });
    expect(read({ received: '11' }, { tolerance: 10, mayOverride: false })).toMatchObject({
      reason: 'over',
      faults: {},
    });
    expect(read({ received: '8', reason: 'wrongItem' }).reason).toBe('wrongItem');
  });

  it('needs a reason for refused quantities, and where it was taken away', () => {
    const asked = { reason: 'Choose a reason.' };
    expect(read({ rejected: '1' })).toMatchObject({ differs: true, faults: asked });
    expect(read({ received: '8', rejected: '1' }).faults).toEqual(asked);
    expect(read({ received: '8', reason: '' }).faults).toEqual(asked);
    expect(read({ rejected: '1', reason: 'damaged' })).toMatchObject({ differs: true, faults: {} });
  });

  it('offers as many damaged pieces as came, and none of what is weighed', () => {
    expect(damagedChoices(3, 'pc', true)).toEqual([1, 2, 3]);
    expect(damagedChoices(40, 'pc', true)).toEqual([1, 2, 3, 4, 6, 12]);
    expect(damagedChoices(3, 'kg', false)).toEqual([]);
  });

  it('explains impossible quantities', () => {
    expect(read({ received: '' }).faults.received).toBe('Enter what came.');
    expect(read({ received: 'x' }).faults.received).toBe('Enter a number.');
    expect(read({ received: '-1' }).faults.received).toBe('Enter zero or more.');
    expect(read({ received: '2', rejected: '3' }).faults.rejected).toMatch(/cannot refuse more/);
  });

  it('takes more than was sent within the tolerance, or with the right to override', () => {
    const typed = { received: '11', reason: 'over' };
    expect(read(typed).faults.received).toMatch(/^1 kg more than was sent/);
    expect(read(typed, { tolerance: 10, mayOverride: false }).faults).toEqual({});
    expect(read(typed, { tolerance: 9, mayOverride: true })).toMatchObject({
      beyond: true,
      faults: {},
    });
  });

  it('offers resolutions that fit the difference', () => {
    expect(resolutionsFor(read({ received: '8' }))).toContain('backorder');
    expect(resolutionsFor(read({ received: '11' }))).toEqual(['acceptOver']);
    expect(resolutionsFor(read())).toEqual([]);
  });
});

describe('the lines of a delivery', () => {
  const lots = [
    { ...line, id: 'a', lot: 'L-1', expected: 4 },
    { ...line, id: 'b', name: 'Sugar', sku: 'SG-1' },
    { ...line, id: 'c', lot: 'L-2', expected: 6 },
  ];

  it('show the lots of a product together, with their sum', () => {
    const products = byProduct(lots);
    expect(products.map(({ lines }) => lines.map(({ id }) => id))).toEqual([['a', 'c'], ['b']]);
    expect(products[0]).toMatchObject({ id: 'a', expected: 10 });
  });

  it('are found by name, SKU and lot', () => {
    const found = (search: string) =>
      lots.filter((one) => isFound(one, search)).map(({ id }) => id);
    expect(['rice', ' sg-1', 'L-2', ''].map(found)).toEqual([
      ['a', 'c'],
      ['b'],
      ['c'],
      ['a', 'b', 'c'],
    ]);
  });
});

describe('a finished receipt', () => {
  const coming = { id: 'd1', kind: 'delivery', storeId: 's1', number: 'DL-1' } as Coming;
  const finished = {
    uid: 'u1',
    coming,
    lines: [line],
    draftId: null,
    mayPost: true,
    rules: { tolerance: 0, mayOverride: true },
    at: new Date('2026-11-24T08:00:00Z'),
    date: '2026-11-24',
  };

  it('includes all of its lines, so that a begun draft becomes it', () => {
    const form = {
      ...emptyForm(),
      lines: { l1: { received: '8', reason: 'short', resolution: 'acceptOver' } },
      photos: ['p1'],
    };
    expect(recordOf({ ...finished, form }).body).toMatchObject({
      sourceId: 'd1',
      photos: ['p1'],
      // The chosen resolution no longer fits: it is decided later.
      lines: [{ sourceLineId: 'l1', received: 8, rejected: 0, reason: 'short', resolution: '' }],
    });
  });

  it('sends the proposed reason', () => {
    const form = { ...emptyForm(), lines: { l1: { received: '8' } } };
    expect(recordOf({ ...finished, form }).body).toMatchObject({ lines: [{ reason: 'short' }] });
  });

  it('omits lines the device does not know: all of them came', () => {
    const record = recordOf({ ...finished, lines: [], form: emptyForm() });
    expect(record.body).not.toHaveProperty('lines');
    expect(record.step).toBe('post');
  });

  it.each([
    [undefined, '2026-11-24T08:00:00.000Z'],
    ['', '2026-11-24T08:00:00.000Z'],
    ['05:40', '2026-11-23T21:40:00.000Z'],
    // Not replaced by now.
    ['18:00', '2026-11-24T10:00:00.000Z'],
  ])('that came at %s was received at %s', (cameAt, at) => {
    const form = { ...emptyForm(), ...(cameAt === undefined ? {} : { cameAt }) };
    const { body } = recordOf({ ...finished, form });
    expect(body).toMatchObject({ receivedAt: at });
    // The server knows the day of it, once it has corrected the time.
    expect(body).not.toHaveProperty('businessDate');
  });

  it('cannot have come at a time that has not passed', () => {
    const { at, date } = finished;
    const fault = (cameAt?: string) => cameAtFault({ ...emptyForm(), cameAt }, at, date);
    expect([undefined, '', '05:40', '16:00'].map(fault)).toEqual([null, null, null, null]);
    expect(fault('16:01')).toBe(
      'It is 16:00 now. Enter a time that has passed, or leave it empty.',
    );
  });

  it('overrides only above the tolerance', () => {
    const form = { ...emptyForm(), lines: { l1: { received: '12', reason: 'over' } } };
    expect(recordOf({ ...finished, form }).stepBody).toMatchObject({ override: true });
    expect(recordOf({ ...finished, form: emptyForm() })).not.toHaveProperty('stepBody');
    const tolerant = { tolerance: 20, mayOverride: true };
    expect(recordOf({ ...finished, rules: tolerant, form })).not.toHaveProperty('stepBody');
  });
});

describe('photos of a receipt', () => {
  it('belong to a product or to the whole delivery, and go without touching the others', () => {
    let form = withPhotos(emptyForm(), null, () => ['truck']);
    form = withPhotos(form, 'buns', (now) => [...now, 'torn', 'wet']);
    form = withPhotos(form, 'milk', (now) => [...now, 'sour']);
    expect(photosOf(form, 'buns')).toEqual(['torn', 'wet']);
    expect(photosOf(form, null)).toEqual(['truck']);
    form = withPhotos(form, 'buns', (now) => now.filter((id) => id !== 'torn'));
    expect(form.photos.toSorted()).toEqual(['sour', 'truck', 'wet']);
    expect(form.photoProducts).toEqual({ wet: 'buns', sour: 'milk' });
  });
});
