// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { DataTable } from './DataTable';

import type { TableState } from './useTableState';

interface Row {
  id: string;
  left: number;
}

const rows: Row[] = [
  { id: 'Cubao', left: 3 },
  { id: 'Makati', left: 0 },
  { id: 'Pasay', left: 1 },
];
const state = { q: '', sort: null, get: () => '', set: () => {} } as unknown as TableState;

it('selects only rows that something can be done with', () => {
  const run = vi.fn();
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <DataTable<Row>
          bare
          plain
          id="test"
          title="Stores"
          one="store"
          many="stores"
          source={{
            rows,
            total: rows.length,
            pending: false,
            error: null,
            retry: () => {},
            remote: false,
          }}
          columns={[{ id: 'name', label: 'Store', primary: true, value: ({ id }) => id }]}
          rowId={({ id }) => id}
          rowLabel={({ id }) => id}
          state={state}
          pickable={({ left }) => left > 0}
          bulkActions={[
            { label: 'Send', run },
            { label: 'Take back', run, shown: (chosen) => chosen.length > 2 },
          ]}
        />
      </MemoryRouter>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByLabelText('Select all rows'));
  expect((screen.getByLabelText('Select all rows') as HTMLInputElement).checked).toBe(true);
  expect(screen.queryByRole('button', { name: 'Take back' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(run.mock.calls[0]?.[0]).toEqual([rows[0], rows[2]]);
});
