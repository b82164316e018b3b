import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { importApi } from '../api';
import type { Batch } from '../types';
import { HiddenRows } from './HiddenRows';

const mapping = { hasHeader: true, columns: { name: 0 }, match: 'name', missing: 'ignore' };
const batch = (hiddenRows: number | undefined, more: object = {}) =>
  ({
    id: 'b1',
    state: 'checked',
    mapping: { ...mapping, ...more },
    summary: { rows: 3, hiddenRows },
  }) as unknown as Batch;
const show = (shown: Batch) => {
  const onChange = vi.fn();
  render(
    <MantineProvider>
      <HiddenRows batch={shown} onChange={onChange} />
    </MantineProvider>,
  );
  return onChange;
};

describe('rows that a workbook hides', () => {
  it('are named, and left out on request', async () => {
    const next = batch(2, { hiddenRows: false });
    const map = vi.spyOn(importApi, 'map').mockResolvedValue(next);
    const onChange = show(batch(2));
    expect(screen.getByText(/^2 hidden rows are included\./)).toBeTruthy();
    await act(async () =>
      fireEvent.click(screen.getByRole('checkbox', { name: 'Leave them out' })),
    );
    expect(map.mock.lastCall).toEqual(['b1', { ...mapping, hiddenRows: false }]);
    expect(onChange.mock.lastCall).toEqual([next]);
  });

  it('are included again on request', async () => {
    const map = vi.spyOn(importApi, 'map').mockResolvedValue(batch(1));
    show(batch(1, { hiddenRows: false }));
    expect(screen.getByText(/^1 hidden row is left out\./)).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByRole('checkbox', { name: 'Leave it out' })));
    expect(map.mock.lastCall).toEqual(['b1', { ...mapping, hiddenRows: true }]);
  });

  it('are not mentioned where there are none', () => {
    show(batch(undefined));
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});
