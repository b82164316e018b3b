// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ExpectedLine } from '../lines';
import { readLine } from './form';
import { ReceiveLine } from './ReceiveLine';

it('takes two damaged pieces of a lot with one tap', () => {
  const line: ExpectedLine = {
    id: 'l1',
    name: 'Buns',
    sku: null,
    unit: 'pc',
    whole: true,
    expected: 3,
    lot: 'L-1',
    expiry: null,
  };
  const onChange = vi.fn();
  render(
    <MantineProvider env="test">
      <ul>
        <ReceiveLine
          line={line}
          typed={undefined}
          reading={readLine(line, undefined, { tolerance: 0, mayOverride: false })}
          tried={false}
          isLot
          photoIds={undefined}
          room={20}
          onPhotos={vi.fn()}
          onChange={onChange}
        />
      </ul>
    </MantineProvider>,
  );
  expect(screen.getByText('Lot L-1')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Something is wrong with it' }));
  fireEvent.click(screen.getByRole('button', { name: 'Buns, Lot L-1: 2 damaged' }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith('l1', { rejected: '2', reason: 'damaged' });
});
