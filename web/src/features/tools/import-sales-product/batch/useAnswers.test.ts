import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import { salesApi } from '../api';
import type { Batch } from '../types';
import { useAnswers } from './useAnswers';

afterEach(() => vi.restoreAllMocks());

const batchWith = (answers: Record<string, string>) =>
  ({ id: 'b1', mapping: { columns: {}, answers }, summary: { asks: [] } }) as unknown as Batch;

const start = () =>
  renderHook(({ batch, checking }) => useAnswers(batch, checking, () => {}), {
    initialProps: { batch: batchWith({}), checking: false },
  });

describe('answers about a checked file', () => {
  it('are sent one after the other: those given during a check follow it', async () => {
    const map = vi.spyOn(salesApi, 'map').mockResolvedValue(batchWith({ a: '1' }));
    const { result, rerender } = start();
    await act(async () => result.current.answer('a', '1'));
    expect(map).toHaveBeenCalledExactlyOnceWith('b1', { columns: {}, answers: { a: '1' } });
    rerender({ batch: batchWith({ a: '1' }), checking: true });
    await act(async () => result.current.answer('b', '2'));
    await act(async () => result.current.answer('c', '3'));
    expect(map).toHaveBeenCalledOnce();
    expect(result.current.pending).toBe(true);
    await act(async () => rerender({ batch: batchWith({ a: '1' }), checking: false }));
    expect(map).toHaveBeenCalledTimes(2);
    expect(map.mock.lastCall?.[1].answers).toEqual({ a: '1', b: '2', c: '3' });
  });

  it('are taken back when they are refused, and not sent again', async () => {
    const refusal = new Problem(409, 'state', 'This file is being posted.');
    const map = vi.spyOn(salesApi, 'map').mockRejectedValue(refusal);
    const { result } = start();
    await act(async () => result.current.answer('a', '1'));
    await waitFor(() => expect(result.current.problem).toBe(refusal));
    expect(map).toHaveBeenCalledOnce();
    expect(result.current.answers).toEqual({});
    expect(result.current.pending).toBe(false);
  });
});
