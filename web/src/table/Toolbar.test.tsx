import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FilterBox } from './Toolbar';

const WAIT_MS = 40;
const tell = vi.fn();
const box = createRef<HTMLInputElement>();

const drawn = (value: string) => (
  <MantineProvider>
    <FilterBox value={value} placeholder="Filter" box={box} wait={WAIT_MS} onChange={tell} />
  </MantineProvider>
);
const type = (words: string) =>
  fireEvent.change(screen.getByRole('textbox'), { target: { value: words } });
const holds = () => screen.getByRole<HTMLInputElement>('textbox').value;
const pause = () => act(() => vi.advanceTimersByTime(WAIT_MS));

beforeEach(() => {
  vi.useFakeTimers();
  tell.mockClear();
});
afterEach(() => vi.useRealTimers());

describe('the filter', () => {
  it('reports input after a pause', () => {
    render(drawn(''));
    type('a');
    type('ab');
    expect(tell).not.toHaveBeenCalled();
    pause();
    expect(tell.mock.calls).toEqual([['ab']]);
  });

  it('keeps newer input when an earlier value comes back', () => {
    const { rerender } = render(drawn(''));
    type('a');
    pause();
    type('ab');
    rerender(drawn('a'));
    expect(holds()).toBe('ab');
    pause();
    expect(tell.mock.calls).toEqual([['a'], ['ab']]);
    rerender(drawn('ab'));
    expect(holds()).toBe('ab');
  });

  it('follows the address back and forth without reporting that', () => {
    const { rerender } = render(drawn(''));
    type('ab');
    pause();
    rerender(drawn('ab'));
    tell.mockClear();
    const waits = vi.spyOn(globalThis, 'setTimeout');
    for (const value of ['', 'ab', 'else', 'ab']) {
      rerender(drawn(value));
      expect(holds()).toBe(value);
    }
    // Not even for the moment when the box still shows the old text: a slow page would revert it.
    expect(waits.mock.calls.filter(([, wait]) => wait === WAIT_MS)).toEqual([]);
    pause();
    expect(tell).not.toHaveBeenCalled();
  });
});
