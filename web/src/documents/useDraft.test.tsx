import { notifications } from '@mantine/notifications';
import { act, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import type { Order, OrderHead, OrderLine } from './orders';
import { orderDef } from './orders';
import { degrees, typedNumber, unsent, useDraft } from './useDraft';

const update = vi.hoisted(() => vi.fn());
vi.mock('./api', async (original) => ({
  ...(await original<typeof import('./api')>()),
  documentApi: () => ({ update }),
}));

afterEach(() => {
  update.mockReset();
  queries.clear();
  notifications.clean();
});

const order = {
  id: 'o1',
  revision: 4,
  lines: [{ id: 'l1', qtyOrdered: 2 }],
} as unknown as Order;

describe('a draft', () => {
  const begin = () =>
    renderHook(() =>
      useDraft<OrderHead, OrderLine>(orderDef, order, {
        lineOf: (line, model) => ({
          id: line.id,
          qty: typedNumber(model, line.id, 'qty', line.qtyOrdered),
        }),
        headOf: ({ temp, ...typed }) => ({ ...typed, ...degrees('temp', temp) }),
        columnOf: (field) => (field === 'uomId' ? 'uom' : field),
      }),
    ).result;

  it('sends what was typed, and nothing if nothing was', async () => {
    const draft = begin();
    expect(await act(() => draft.current.save())).toBe(order);
    expect(update).not.toHaveBeenCalled();
    act(() => {
      draft.current.model.set([{ row: 'l1', column: 'qty', text: '7' }]);
      draft.current.setField('temp', '3.5');
      draft.current.setField('notes', 'late');
      draft.current.setField('notes', undefined);
    });
    update.mockResolvedValue({ ...order, revision: 5 });
    await act(() => draft.current.save());
    expect(update).toHaveBeenCalledExactlyOnceWith('o1', 4, {
      temp: 3.5,
      lines: [{ id: 'l1', qty: 7 }],
    });
    expect(draft.current.dirty).toBe(false);
  });

  it('saves a field at once, with what was typed, and keeps a refused one', async () => {
    const draft = begin();
    act(() => draft.current.setField('notes', 'late'));
    update.mockRejectedValueOnce(new Problem(422, 'invalid', 'Too many.'));
    expect(await act(() => draft.current.save(undefined, { areaId: 'a1' }))).toBeNull();
    expect(draft.current.head).toEqual({ notes: 'late', areaId: 'a1' });
    update.mockResolvedValue({ ...order, revision: 5 });
    await act(() => draft.current.save(undefined, { areaId: 'a2' }));
    expect(update).toHaveBeenLastCalledWith('o1', 4, { notes: 'late', areaId: 'a2' });
    expect(draft.current.dirty).toBe(false);
  });

  it('keeps what was typed when another user saved first, and shows the saved version', async () => {
    const draft = begin();
    act(() => draft.current.setField('notes', 'late'));
    const current = { ...order, revision: 9 };
    update.mockRejectedValue(new Problem(409, 'stale', 'Ana did.', [], null, { current }));
    expect(await act(() => draft.current.save())).toBeNull();
    expect(draft.current.head).toEqual({ notes: 'late' });
    expect(draft.current.problem?.message).toBe('Ana did.');
    expect(queries.getQueryData([...orderDef.key, 'one', 'o1'])).toEqual(current);
  });

  const wrong = new Problem(422, 'invalid', 'Check.', [
    { field: 'lines.0.uomId', message: 'Which?' },
    { field: 'neededDate', message: 'When?' },
  ]);

  it('shows an error in its cell and at its field', async () => {
    const draft = begin();
    act(() => draft.current.setField('notes', 'late'));
    update.mockRejectedValue(wrong);
    await act(() => draft.current.save());
    expect([...draft.current.errors]).toEqual([['l1/uom', 'Which?']]);
    expect(draft.current.errorOf('neededDate')).toBe('When?');
  });

  it('shows errors in the rows of its own grid', async () => {
    const draft = renderHook(() =>
      useDraft<OrderHead, OrderLine>(orderDef, order, {
        linesOf: () => ({ lines: [{ productId: 'p1' }], ids: ['p1'] }),
      }),
    ).result;
    act(() => draft.current.model.set([{ row: 'p1', column: 'qty', text: '1' }]));
    update.mockRejectedValue(wrong);
    await act(() => draft.current.save());
    expect([...draft.current.errors]).toEqual([['p1/uomId', 'Which?']]);
  });
});

describe('a temperature', () => {
  it('is sent as a number, or as typed for the server to refuse', () => {
    const typed = ['-18', 'cold', '', undefined];
    expect(typed.map((text) => degrees('t', text))).toEqual([
      { t: -18 },
      { t: 'cold' },
      { t: '' },
      {},
    ]);
  });
});

describe('head fields', () => {
  it('keep what was typed after the head was sent', () => {
    const sent: Record<string, string> = { made: '40', lot: 'R-1' };
    expect(unsent({ made: '42', lot: 'R-1', notes: 'late' }, sent)).toEqual({
      made: '42',
      notes: 'late',
    });
    expect(unsent({}, sent)).toEqual({});
  });
});
