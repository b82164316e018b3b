import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { SeriesPanel } from './SeriesPanel';

it('has its own close button beside a table, and none in a drawer', () => {
  const onClose = vi.fn();
  const { rerender } = render(
    <SeriesPanel name="Rice" busy onClose={onClose}>
      <p>Figures</p>
    </SeriesPanel>,
  );
  const panel = screen.getByRole('region', { name: 'Rice' });
  expect(panel.getAttribute('aria-busy')).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
  rerender(
    <SeriesPanel name="">
      <p>Figures</p>
    </SeriesPanel>,
  );
  expect(screen.getByRole('region', { name: 'Forecast of an item' })).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
