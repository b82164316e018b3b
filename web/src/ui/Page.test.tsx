// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { PageHeader } from './Page';

vi.mock('./RecentChanges', () => ({ RecentChanges: () => null }));

it('names the place in the title for the paper', () => {
  const { rerender } = render(<PageHeader title="Store inventory" place="Cubao" />);
  expect(screen.getByRole('heading').textContent).toBe('Store inventory, Cubao');
  rerender(<PageHeader title="Store inventory" />);
  expect(screen.getByRole('heading').textContent).toBe('Store inventory');
});
