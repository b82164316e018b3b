import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { DayStartDrawer } from './DayStartDrawer';

const request = vi.hoisted(() => vi.fn().mockResolvedValue({}));
vi.mock('#/api/client', async (original) => ({
  ...(await original<object>()),
  requestAt: request,
}));

it('saves when the day begins, from a day on', async () => {
  const onClose = vi.fn();
  render(
    <MantineProvider env="test">
      <DayStartDrawer
        storeId="s1"
        change={{ from: '2026-11-13', minutes: 300, revision: 2 }}
        minutes={300}
        onClose={onClose}
      />
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole('combobox', { name: 'Day begins at' }));
  fireEvent.click(screen.getByRole('option', { name: '06:30' }));
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(request).toHaveBeenCalledWith('PUT', '/api/stores/day-starts/s1/2026-11-13', {
    json: { minutes: 390, revision: 2 },
  });
});
